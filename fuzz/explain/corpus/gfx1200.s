
gfx1200.co:	file format elf64-amdgpu

Disassembly of section .text:

0000000000005100 <copy_global>:
	s_clause 0x1                                               // 000000005100: BF850001
	s_load_b32 s2, s[0:1], 0x24                                // 000000005104: F4000080 F8000024
	s_load_b32 s3, s[0:1], 0x10                                // 00000000510C: F40000C0 F8000010
	s_wait_kmcnt 0x0                                           // 000000005114: BFC70000
	s_and_b32 s2, s2, 0xffff                                   // 000000005118: 8B02FF02 0000FFFF
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(SKIP_1) | instid1(VALU_DEP_1)// 000000005120: BF8700A9
	v_mad_co_u64_u32 v[0:1], null, ttmp9, s2, v[0:1]           // 000000005124: D6FE7C00 04000475
	s_mov_b32 s2, exec_lo                                      // 00000000512C: BE82007E
	v_cmpx_gt_i32_e64 s3, v0                                   // 000000005130: D4C4007E 00020003
	s_cbranch_execz 20                                         // 000000005138: BFA50014 <copy_global+0x8c>
	s_load_b128 s[0:3], s[0:1], 0x0                            // 00000000513C: F4004000 F8000000
	v_ashrrev_i32_e32 v1, 31, v0                               // 000000005144: 3402009F
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(VALU_DEP_1)// 000000005148: BF8700A1
	v_lshlrev_b64_e32 v[0:1], 2, v[0:1]                        // 00000000514C: 3E000082
	s_wait_kmcnt 0x0                                           // 000000005150: BFC70000
	v_add_co_u32 v2, vcc_lo, s0, v0                            // 000000005154: D7006A02 00020000
	s_delay_alu instid0(VALU_DEP_2)                            // 00000000515C: BF870002
	v_add_co_ci_u32_e32 v3, vcc_lo, s1, v1, vcc_lo             // 000000005160: 40060201
	v_add_co_u32 v0, vcc_lo, s2, v0                            // 000000005164: D7006A00 00020002
	v_add_co_ci_u32_e32 v1, vcc_lo, s3, v1, vcc_lo             // 00000000516C: 40020203
	global_load_b32 v2, v[2:3], off                            // 000000005170: EE05007C 00000002 00000002
	s_wait_loadcnt 0x0                                         // 00000000517C: BFC00000
	global_store_b32 v[0:1], v2, off                           // 000000005180: EE06807C 01000000 00000000
	s_nop 0                                                    // 00000000518C: BF800000
	s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)                       // 000000005190: BFB60003
	s_endpgm                                                   // 000000005194: BFB00000
	s_nop 0                                                    // 000000005198: BF800000
	s_nop 0                                                    // 00000000519C: BF800000
	s_nop 0                                                    // 0000000051A0: BF800000
	s_nop 0                                                    // 0000000051A4: BF800000
	s_nop 0                                                    // 0000000051A8: BF800000
	s_nop 0                                                    // 0000000051AC: BF800000
	s_nop 0                                                    // 0000000051B0: BF800000
	s_nop 0                                                    // 0000000051B4: BF800000
	s_nop 0                                                    // 0000000051B8: BF800000
	s_nop 0                                                    // 0000000051BC: BF800000
	s_nop 0                                                    // 0000000051C0: BF800000
	s_nop 0                                                    // 0000000051C4: BF800000
	s_nop 0                                                    // 0000000051C8: BF800000
	s_nop 0                                                    // 0000000051CC: BF800000
	s_nop 0                                                    // 0000000051D0: BF800000
	s_nop 0                                                    // 0000000051D4: BF800000
	s_nop 0                                                    // 0000000051D8: BF800000
	s_nop 0                                                    // 0000000051DC: BF800000
	s_nop 0                                                    // 0000000051E0: BF800000
	s_nop 0                                                    // 0000000051E4: BF800000
	s_nop 0                                                    // 0000000051E8: BF800000
	s_nop 0                                                    // 0000000051EC: BF800000
	s_nop 0                                                    // 0000000051F0: BF800000
	s_nop 0                                                    // 0000000051F4: BF800000
	s_nop 0                                                    // 0000000051F8: BF800000
	s_nop 0                                                    // 0000000051FC: BF800000

0000000000005200 <add_f32>:
	s_clause 0x1                                               // 000000005200: BF850001
	s_load_b32 s2, s[0:1], 0x2c                                // 000000005204: F4000080 F800002C
	s_load_b32 s3, s[0:1], 0x18                                // 00000000520C: F40000C0 F8000018
	s_wait_kmcnt 0x0                                           // 000000005214: BFC70000
	s_and_b32 s2, s2, 0xffff                                   // 000000005218: 8B02FF02 0000FFFF
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(SKIP_1) | instid1(VALU_DEP_1)// 000000005220: BF8700A9
	v_mad_co_u64_u32 v[0:1], null, ttmp9, s2, v[0:1]           // 000000005224: D6FE7C00 04000475
	s_mov_b32 s2, exec_lo                                      // 00000000522C: BE82007E
	v_cmpx_gt_i32_e64 s3, v0                                   // 000000005230: D4C4007E 00020003
	s_cbranch_execz 29                                         // 000000005238: BFA5001D <add_f32+0xb0>
	s_load_b128 s[4:7], s[0:1], 0x0                            // 00000000523C: F4004100 F8000000
	v_ashrrev_i32_e32 v1, 31, v0                               // 000000005244: 3402009F
	s_load_b64 s[0:1], s[0:1], 0x10                            // 000000005248: F4002000 F8000010
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(VALU_DEP_1)// 000000005250: BF8700A1
	v_lshlrev_b64_e32 v[0:1], 2, v[0:1]                        // 000000005254: 3E000082
	s_wait_kmcnt 0x0                                           // 000000005258: BFC70000
	v_add_co_u32 v2, vcc_lo, s4, v0                            // 00000000525C: D7006A02 00020004
	s_delay_alu instid0(VALU_DEP_2)                            // 000000005264: BF870002
	v_add_co_ci_u32_e32 v3, vcc_lo, s5, v1, vcc_lo             // 000000005268: 40060205
	v_add_co_u32 v4, vcc_lo, s6, v0                            // 00000000526C: D7006A04 00020006
	v_add_co_ci_u32_e32 v5, vcc_lo, s7, v1, vcc_lo             // 000000005274: 400A0207
	v_add_co_u32 v0, vcc_lo, s0, v0                            // 000000005278: D7006A00 00020000
	global_load_b32 v2, v[2:3], off                            // 000000005280: EE05007C 00000002 00000002
	global_load_b32 v3, v[4:5], off                            // 00000000528C: EE05007C 00000003 00000004
	v_add_co_ci_u32_e32 v1, vcc_lo, s1, v1, vcc_lo             // 000000005298: 40020201
	s_wait_loadcnt 0x0                                         // 00000000529C: BFC00000
	v_add_f32_e32 v2, v2, v3                                   // 0000000052A0: 06040702
	global_store_b32 v[0:1], v2, off                           // 0000000052A4: EE06807C 01000000 00000000
	s_nop 0                                                    // 0000000052B0: BF800000
	s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)                       // 0000000052B4: BFB60003
	s_endpgm                                                   // 0000000052B8: BFB00000
	s_nop 0                                                    // 0000000052BC: BF800000
	s_nop 0                                                    // 0000000052C0: BF800000
	s_nop 0                                                    // 0000000052C4: BF800000
	s_nop 0                                                    // 0000000052C8: BF800000
	s_nop 0                                                    // 0000000052CC: BF800000
	s_nop 0                                                    // 0000000052D0: BF800000
	s_nop 0                                                    // 0000000052D4: BF800000
	s_nop 0                                                    // 0000000052D8: BF800000
	s_nop 0                                                    // 0000000052DC: BF800000
	s_nop 0                                                    // 0000000052E0: BF800000
	s_nop 0                                                    // 0000000052E4: BF800000
	s_nop 0                                                    // 0000000052E8: BF800000
	s_nop 0                                                    // 0000000052EC: BF800000
	s_nop 0                                                    // 0000000052F0: BF800000
	s_nop 0                                                    // 0000000052F4: BF800000
	s_nop 0                                                    // 0000000052F8: BF800000
	s_nop 0                                                    // 0000000052FC: BF800000

0000000000005300 <relu_f32>:
	s_clause 0x1                                               // 000000005300: BF850001
	s_load_b32 s2, s[0:1], 0x24                                // 000000005304: F4000080 F8000024
	s_load_b32 s3, s[0:1], 0x10                                // 00000000530C: F40000C0 F8000010
	s_wait_kmcnt 0x0                                           // 000000005314: BFC70000
	s_and_b32 s2, s2, 0xffff                                   // 000000005318: 8B02FF02 0000FFFF
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(SKIP_1) | instid1(VALU_DEP_1)// 000000005320: BF8700A9
	v_mad_co_u64_u32 v[0:1], null, ttmp9, s2, v[0:1]           // 000000005324: D6FE7C00 04000475
	s_mov_b32 s2, exec_lo                                      // 00000000532C: BE82007E
	v_cmpx_gt_i32_e64 s3, v0                                   // 000000005330: D4C4007E 00020003
	s_cbranch_execz 23                                         // 000000005338: BFA50017 <relu_f32+0x98>
