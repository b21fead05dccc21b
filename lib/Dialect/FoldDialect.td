//===- FoldDialect.td - The fold dialect and its attributes -*- tablegen -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_DIALECT_FOLD_DIALECT
#define WARPFOLD_DIALECT_FOLD_DIALECT

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Fold_Dialect : Dialect {
  let name = "fold";
  let cppNamespace = "::wf::fold";
  let summary = "Reductions by a user's combine function";
  let description = [{
    `fold.reduce` says what is to be reduced; it knows no machine. A plan is
    attached to it, and it is then taken apart into tier operations, each of
    which folds what the one before left over:

    | op            | folds                                            |
    |---------------|--------------------------------------------------|
    | `fold.rows`   | elements into slots                              |
    | `fold.slots`  | slots into one state                             |
    | `fold.chunks` | chunks into runs, by a binary counter            |

    Functions of the user are private symbols of the module. Calls name them;
    they are cloned onto vectors where a tier works on vectors, and inlined
    last.
  }];
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def Fold_Order : I32EnumAttr<"OrderKind", "which two elements meet, and where",
    [I32EnumAttrCase<"Canonical", 0, "canonical">,
     I32EnumAttrCase<"Ordered", 1, "ordered">,
     I32EnumAttrCase<"Sequential", 2, "sequential">,
     I32EnumAttrCase<"Fixed", 3, "fixed">,
     I32EnumAttrCase<"Any", 4, "any">]> {
  let cppNamespace = "::wf::fold";
  let genSpecializedAttr = 0;
}
def Fold_OrderAttr : EnumAttr<Fold_Dialect, Fold_Order, "order">;

def Fold_PlanAttr : AttrDef<Fold_Dialect, "Plan"> {
  let mnemonic = "plan";
  let summary = "A wf::Plan in its text form";
  let description = [{
    Wraps the text that lib/Plan prints and parses:
    `#fold.plan<"cpu kind=row order=canonical/1 ...">`. The verifier parses it.
  }];
  let parameters = (ins StringRefParameter<"the plan's text">:$text);
  let assemblyFormat = "`<` $text `>`";
  let genVerifyDecl = 1;
}

#endif
