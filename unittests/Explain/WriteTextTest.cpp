//===- WriteTextTest.cpp - Terminal, page and JSON ------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "WriteSupport.h"

#include <nlohmann/json.hpp>

using namespace wf::explain;
using Json = nlohmann::json;

TEST(WriteText, SaysHeadVerdictAndListing) {
  std::string text = textOf(seedReport(), {});
  EXPECT_TRUE(has(text, "reduce_sum_f32_kernel(float const*, float*, int)"));
  EXPECT_TRUE(has(text, "sm_86"));
  EXPECT_TRUE(has(text, "10 registers"));
  EXPECT_TRUE(has(text, "materialised: shared"));
  EXPECT_TRUE(has(text, "SB2: the result of 0x0090"));
  EXPECT_TRUE(has(text, "SB0: 0x00e0 to have read its operands"));
  // The load at 0x0150 sets no scoreboard: that of 0x0170 covers it.
  EXPECT_TRUE(has(text, "SB0: the result of 0x0150 and 0x0170"));
  EXPECT_TRUE(has(text, "NOP, twelve times: padding"));
}

TEST(WriteText, ColourOnlyWhenAsked) {
  WriteOptions options;
  EXPECT_FALSE(has(textOf(seedReport(), options), "\x1b["));
  options.colour = true;
  EXPECT_TRUE(has(textOf(seedReport(), options), "\x1b["));
}

TEST(WriteHtml, IsOnePageWithoutNetwork) {
  std::vector<Report> reports;
  reports.push_back(seedReport());
  std::string page = htmlOf(reports, {});
  for (const char *outside : {"http:", "https:", " src=", "@import", "<link"})
    EXPECT_FALSE(has(page, outside)) << outside;
  EXPECT_TRUE(has(page, "<svg class=\"timeline\""));
  EXPECT_TRUE(has(page, "<svg class=\"path\""));
  EXPECT_TRUE(has(page, "prefers-color-scheme: dark"));
  EXPECT_TRUE(has(page, "threadIdx.x &lt; stride"));
  EXPECT_FALSE(has(page, "threadIdx.x < stride"));
}

TEST(WriteHtml, EscapesWhateverANameContains) {
  std::vector<Report> reports;
  reports.push_back(seedReport());
  Kernel &kernel = reports[0].analysis.program.kernel;
  kernel.name = "f<\"'&\x01\xff>";
  kernel.code[0].text = "</script><b>";
  std::string page = htmlOf(reports, {});
  EXPECT_FALSE(has(page, "</script><b>"));
  EXPECT_TRUE(has(page, "&lt;/script&gt;&lt;b&gt;"));
  EXPECT_TRUE(has(page, "f&lt;&quot;&#39;&amp;\xef\xbf\xbd\xef\xbf\xbd&gt;"));
}

namespace {
/// As much of JSON Schema as docs/explain.schema.json uses.
class Schema {
public:
  explicit Schema(Json root) : root(std::move(root)) {}

  std::string check(const Json &value) { return check(value, root, "$"); }

private:
  std::string check(const Json &value, const Json &schema,
                    const std::string &at) {
    if (schema.contains("$ref")) {
      std::string name = schema["$ref"].get<std::string>();
      if (std::string bad =
              check(value, root["$defs"][name.substr(name.rfind('/') + 1)], at);
          !bad.empty())
        return bad;
    }
    if (schema.contains("enum")) {
      for (const Json &one : schema["enum"])
        if (one == value)
          return "";
      return at + " is " + value.dump();
    }
    if (schema.contains("const"))
      return schema["const"] == value ? "" : at + " is " + value.dump();
    if (!schema.contains("type"))
      return "";
    const std::string type = schema["type"].get<std::string>();
    bool right = type == "object"    ? value.is_object()
                 : type == "array"   ? value.is_array()
                 : type == "string"  ? value.is_string()
                 : type == "boolean" ? value.is_boolean()
                 : type == "integer" ? value.is_number_integer()
                                     : value.is_number();
    if (!right)
      return at + " is no " + type;
    if (schema.contains("minimum") && value.is_number_integer() &&
        value < schema["minimum"])
      return at + " is below its minimum";
    if (type == "array") {
      for (size_t i = 0; i < value.size(); ++i)
        if (std::string bad = check(value[i], schema["items"],
                                    at + "[" + std::to_string(i) + "]");
            !bad.empty())
          return bad;
      return "";
    }
    return type == "object" ? checkObject(value, schema, at) : "";
  }

  std::string checkObject(const Json &value, const Json &schema,
                          const std::string &at) {
    if (schema.contains("required"))
      for (const Json &name : schema["required"])
        if (!value.contains(name.get<std::string>()))
          return at + " lacks " + name.dump();
    for (const auto &[name, inner] : value.items()) {
      const bool known =
          schema.contains("properties") && schema["properties"].contains(name);
      const Json &more = schema["additionalProperties"];
      if (!known && !more.is_object())
        return at + " has " + name;
      if (std::string bad =
              check(inner, known ? schema["properties"][name] : more,
                    at + "." + name);
          !bad.empty())
        return bad;
    }
    return "";
  }

  Json root;
};
} // namespace

TEST(WriteJson, FollowsItsSchema) {
  std::ifstream file(WARPFOLD_LISTINGS "/../../../docs/explain.schema.json");
  Json schema = Json::parse(file, nullptr, /*allow_exceptions=*/false);
  ASSERT_FALSE(schema.is_discarded());
  for (const char *name :
       {"nvidia/seed_reduce_sum.sm_86.nvdisasm-hex.sass",
        "nvidia/catalogue.sm_86.cuobjdump.sass",
        "nvidia/lineinfo.nvdisasm-gp.sass",
        "nvidia/exotic.sm_86.cuobjdump.sass", "amd/kernels.gfx90a.clang.s"}) {
    auto listing = readListing(listingText(name), name);
    ASSERT_TRUE(bool(listing)) << name;
    std::vector<Report> reports;
    for (Kernel &kernel : listing->kernels) {
      reports.push_back(judge(analyse(decode(std::move(kernel)))));
      matchPatterns(reports.back(), builtinPatterns());
    }
    Json all = Json::parse(jsonOf(reports, {}), nullptr, false);
    ASSERT_FALSE(all.is_discarded()) << name;
    EXPECT_EQ(all.size(), reports.size());
    EXPECT_EQ(Schema(schema).check(all), "") << name;
  }
}

TEST(WriteJson, NothingIsAnEmptyArray) {
  EXPECT_EQ(Json::parse(jsonOf({}, {}), nullptr, false), Json::array());
}
