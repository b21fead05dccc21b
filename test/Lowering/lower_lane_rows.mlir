// RUN: warpfold-opt %s --fold-lower-lane-rows --canonicalize --cse | FileCheck %s

// One lane's part of a chunk. A lane has `vector` elements of every row; a load
// that must not happen reads what is there, and never branches.
module attributes {fold.target = "null"} {

func.func private @map(%x: f32, %k: i64) -> f32 {
  return %x : f32
}
func.func private @update(%s: f32, %n: i64, %x: f32, %k: i64) -> f32 {
  %r = arith.addf %s, %x : f32
  return %r : f32
}

// Two rows are under way before the first is folded, and the third is read as
// soon as its register is free. Slot 0 takes elements 0, 2 of every row, slot 1
// the others, in increasing k; map begins, update goes on with the slot's count.
// CHECK-LABEL: func.func @whole(
// CHECK-SAME: %[[X:[^ ]*]]: !llvm.ptr<1>, %[[O:[^ ]*]]: index, %{{[^ ]*}}: index, %{{[^ ]*}}: index, %[[L:[^ ]*]]: index, %[[F:[^ ]*]]: index,
// CHECK: %[[K:[^ ]*]] = arith.muli %[[L]], %c4
// CHECK: %[[A:[^ ]*]] = arith.addi %[[F]], %[[K]]
// CHECK: %[[AT:[^ ]*]] = arith.addi %[[O]], %[[A]]
// CHECK: %[[W:[^ ]*]] = arith.index_cast %[[AT]]
// CHECK: %[[P:[^ ]*]] = llvm.getelementptr inbounds %[[X]][%[[W]]] {{.*}}, f32
// CHECK: %[[R0:[^ ]*]] = llvm.load %[[P]] invariant {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: vector.extract %[[R0]][0]
// CHECK: %[[E2:[^ ]*]] = vector.extract %[[R0]][2]
// CHECK: %[[P1:[^ ]*]] = llvm.getelementptr inbounds %[[P]][128]
// CHECK: %[[R1:[^ ]*]] = llvm.load %[[P1]] invariant {alignment = 16 : i64}
// CHECK: %[[G0:[^ ]*]] = vector.extract %[[R1]][0]
// CHECK: %[[K0:[^ ]*]] = arith.index_cast %[[K]]
// CHECK: %[[S0:[^ ]*]] = call @map(%{{[^ ]*}}, %[[K0]])
// CHECK: %[[S1:[^ ]*]] = call @map(
// CHECK: %[[T0:[^ ]*]] = call @update(%[[S0]], %c1_i64, %[[E2]],
// CHECK: %[[T1:[^ ]*]] = call @update(%[[S1]], %c1_i64,
// CHECK: %[[P2:[^ ]*]] = llvm.getelementptr inbounds %[[P]][256]
// CHECK: llvm.load %[[P2]] invariant {alignment = 16 : i64}
// CHECK: %[[U0:[^ ]*]] = call @update(%[[T0]], %c2_i64, %[[G0]],
// CHECK: %[[U1:[^ ]*]] = call @update(%[[T1]], %c2_i64,
// CHECK: %[[V0:[^ ]*]] = call @update(%[[U0]], %c3_i64,
// CHECK: %[[V1:[^ ]*]] = call @update(%[[U1]], %c3_i64,
// CHECK: %[[X0:[^ ]*]] = call @update(%[[V0]], %c4_i64,
// CHECK: %[[X1:[^ ]*]] = call @update(%[[V1]], %c4_i64,
// CHECK: %[[Y0:[^ ]*]] = call @update(%[[X0]], %c5_i64,
// CHECK: %[[Y1:[^ ]*]] = call @update(%[[X1]], %c5_i64,
// CHECK-NEXT: return %[[Y0]], %[[Y1]]
func.func @whole(%x: !llvm.ptr<1>, %o: index, %k: index, %s: index, %l: index, %f: index, %n: index) -> (f32, f32) {
  %c = arith.constant 0 : index
  %r:2 = fold.lane_rows %x offsets(%o) sizes(%k) strides(%s) lane %l first %f count %n position %c
    map @map update @update inner [1] vector 4 accumulators 2 rows 3 flight 2 even vectors
    : !llvm.ptr<1> -> f32, f32
  return %r#0, %r#1 : f32, f32
}

// Of the last row a lane has all or nothing. Where it has nothing it reads the
// fold's first elements, which are always there, and keeps its state.
// CHECK-LABEL: func.func @rest(
// CHECK-SAME: %[[X:[^ ]*]]: !llvm.ptr<1>, %[[O:[^ ]*]]: index, %{{[^ ]*}}: index, %{{[^ ]*}}: index, %{{[^ ]*}}: index, %[[F:[^ ]*]]: index, %[[N:[^ ]*]]: index)
// CHECK: %[[END:[^ ]*]] = arith.addi %[[F]], %[[N]]
// CHECK: llvm.load %[[P:[^ ]*]] invariant {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xf32>
// CHECK: %[[LAST:[^ ]*]] = arith.addi %{{[^ ]*}}, %c66
// CHECK: %[[HERE:[^ ]*]] = arith.cmpi ule, %[[LAST]], %[[END]]
// CHECK: %[[Q:[^ ]*]] = llvm.getelementptr inbounds %[[P]][64]
// CHECK: %[[O64:[^ ]*]] = arith.index_cast %[[O]]
// CHECK: %[[START:[^ ]*]] = llvm.getelementptr inbounds %[[X]][%[[O64]]]
// CHECK: %[[SAFE:[^ ]*]] = arith.select %[[HERE]], %[[Q]], %[[START]]
// CHECK: llvm.load %[[SAFE]] invariant {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xf32>
// CHECK: %[[S:[^ ]*]] = call @map(
// CHECK: %[[U:[^ ]*]] = call @update(%[[S]], %c1_i64,
// CHECK: arith.select %[[HERE]], %[[U]], %[[S]]
func.func @rest(%x: !llvm.ptr<1>, %o: index, %k: index, %s: index, %l: index, %f: index, %n: index) -> (f32, f32) {
  %c = arith.constant 0 : index
  %r:2 = fold.lane_rows %x offsets(%o) sizes(%k) strides(%s) lane %l first %f count %n position %c
    map @map update @update inner [1] vector 2 accumulators 2 rows 2 flight 8 rest even vectors
    : !llvm.ptr<1> -> f32, f32
  return %r#0, %r#1 : f32, f32
}

// Where a lane may have some of its elements, each is read by itself: the whole
// rows before stay vectors.
// CHECK-LABEL: func.func @rest_odd(
// CHECK-SAME: %{{[^ ]*}}: index, %[[F:[^ ]*]]: index, %[[N:[^ ]*]]: index)
// CHECK: %[[END:[^ ]*]] = arith.addi %[[F]], %[[N]]
// CHECK: llvm.load {{.*}} -> vector<2xf32>
// CHECK: %[[HERE0:[^ ]*]] = arith.cmpi ult, %{{[^ ]*}}, %[[END]]
// CHECK: %[[HERE1:[^ ]*]] = arith.cmpi ult, %{{[^ ]*}}, %[[END]]
// CHECK: %[[P0:[^ ]*]] = arith.select %[[HERE0]]
// CHECK-NEXT: llvm.load %[[P0]] invariant {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK: %[[P1:[^ ]*]] = arith.select %[[HERE1]]
// CHECK-NEXT: llvm.load %[[P1]] invariant {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK: %[[S0:[^ ]*]] = call @map(
// CHECK: %[[S1:[^ ]*]] = call @map(
// CHECK: %[[U0:[^ ]*]] = call @update(%[[S0]],
// CHECK: arith.select %[[HERE0]], %[[U0]], %[[S0]]
// CHECK: %[[U1:[^ ]*]] = call @update(%[[S1]],
// CHECK: arith.select %[[HERE1]], %[[U1]], %[[S1]]
func.func @rest_odd(%x: !llvm.ptr<1>, %o: index, %k: index, %s: index, %l: index, %f: index, %n: index) -> (f32, f32) {
  %c = arith.constant 0 : index
  %r:2 = fold.lane_rows %x offsets(%o) sizes(%k) strides(%s) lane %l first %f count %n position %c
    map @map update @update inner [1] vector 2 accumulators 2 rows 2 flight 8 rest vectors
    : !llvm.ptr<1> -> f32, f32
  return %r#0, %r#1 : f32, f32
}

// A count that only the run knows: two rows at a time, and at last what one lane
// has of a vector that ends past the end. Its slots may still be empty: then it
// is map that seeds them.
// CHECK-LABEL: func.func @tail(
// CHECK-SAME: %{{[^ ]*}}: index, %[[F:[^ ]*]]: index, %[[N:[^ ]*]]: index)
// CHECK: %[[END:[^ ]*]] = arith.addi %[[F]], %[[N]]
// CHECK-COUNT-2: llvm.load {{.*}} -> vector<2xf32>
// CHECK: %[[UP:[^ ]*]] = arith.addi %[[N]], %c63
// CHECK: %[[ROWS:[^ ]*]] = arith.divui %[[UP]], %c64
// CHECK: %[[LOOP:[^ ]*]]:2 = scf.for %[[R:[^ ]*]] = %c2 to %[[ROWS]] step %c2 iter_args(%[[S:[^ ]*]] = %{{[^ ]*}}, %{{[^ ]*}} = %{{[^ ]*}})
// CHECK-COUNT-2: llvm.load {{.*}} -> vector<2xf32>
// CHECK: %[[BEFORE:[^ ]*]] = arith.index_cast %[[R]]
// CHECK: func.call @update(%[[S]], %[[BEFORE]],
// CHECK: %[[MORE:[^ ]*]] = arith.addi %[[BEFORE]], %c1_i64
// CHECK: func.call @update(%{{[^ ]*}}, %[[MORE]],
// CHECK: scf.yield
// CHECK: %[[ROW:[^ ]*]] = arith.divui %[[N]], %c64
// CHECK: %[[ALL:[^ ]*]] = arith.cmpi ule
// CHECK: %[[SOME:[^ ]*]] = arith.cmpi ult
// CHECK: %[[MINE:[^ ]*]] = arith.select %[[ALL]], %false, %[[SOME]]
// CHECK: %[[P:[^ ]*]] = arith.select %[[MINE]]
// CHECK: %[[V:[^ ]*]] = llvm.load %[[P]] invariant {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK: %[[EMPTY:[^ ]*]] = arith.cmpi eq, %[[ROW]], %c0
// CHECK: %[[U:[^ ]*]] = call @update(%[[LOOP]]#0, %{{[^ ]*}}, %[[V]],
// CHECK: %[[M:[^ ]*]] = call @map(%[[V]],
// CHECK: %[[T:[^ ]*]] = arith.select %[[EMPTY]], %[[M]], %[[U]]
// CHECK: arith.select %[[MINE]], %[[T]], %[[LOOP]]#0
func.func @tail(%x: !llvm.ptr<1>, %o: index, %k: index, %s: index, %l: index, %f: index, %n: index) -> (f32, f32) {
  %c = arith.constant 0 : index
  %r:2 = fold.lane_rows %x offsets(%o) sizes(%k) strides(%s) lane %l first %f count %n position %c
    map @map update @update inner [1] vector 2 accumulators 2 rows 32 flight 2 tail vectors
    : !llvm.ptr<1> -> f32, f32
  return %r#0, %r#1 : f32, f32
}

// A count grows with every element that is there.
// CHECK-LABEL: func.func @counted(
// CHECK: %[[HERE:[^ ]*]] = arith.cmpi ule
// CHECK: %[[ONE:[^ ]*]] = arith.extui %[[HERE]] : i1 to i64
// CHECK: %[[TWO:[^ ]*]] = arith.addi %[[ONE]], %[[ONE]]
// CHECK: scf.for {{.*}} -> (f32, i64)
// CHECK: %[[MINE:[^ ]*]] = arith.select %{{[^ ]*}}, %false
// CHECK: %[[MORE:[^ ]*]] = arith.extui %[[MINE]] : i1 to i64
// CHECK: arith.addi %{{[^ ]*}}#1, %[[MORE]]
func.func @counted(%x: !llvm.ptr<1>, %o: index, %k: index, %s: index, %l: index, %f: index, %n: index) -> (f32, i64) {
  %c = arith.constant 0 : index
  %r:2 = fold.lane_rows %x offsets(%o) sizes(%k) strides(%s) lane %l first %f count %n position %c
    map @map update @update inner [1] vector 2 accumulators 1 rows 32 flight 2 tail vectors counted
    : !llvm.ptr<1> -> f32, i64
  return %r#0, %r#1 : f32, i64
}

// At any stride, element by element; their order is kept, so they may not be
// called invariant.
// CHECK-LABEL: func.func @elements(
// CHECK-SAME: %{{[^ ]*}}: index, %{{[^ ]*}}: index, %[[S:[^ ]*]]: index,
// CHECK: %[[V0:[^ ]*]] = llvm.load %[[P:[^ ]*]] {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK: %[[STEP:[^ ]*]] = arith.index_cast %[[S]]
// CHECK: %[[Q:[^ ]*]] = llvm.getelementptr inbounds %[[P]][%[[STEP]]]
// CHECK: %[[V1:[^ ]*]] = llvm.load %[[Q]] {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK: call @map(%[[V0]],
// CHECK: call @map(%[[V1]],
func.func @elements(%x: !llvm.ptr<1>, %o: index, %k: index, %s: index, %l: index, %f: index, %n: index) -> (f32, f32) {
  %c = arith.constant 0 : index
  %r:2 = fold.lane_rows %x offsets(%o) sizes(%k) strides(%s) lane %l first %f count %n position %c
    map @map update @update inner [-1] vector 2 accumulators 2 rows 1 flight 2
    : !llvm.ptr<1> -> f32, f32
  return %r#0, %r#1 : f32, f32
}
}
