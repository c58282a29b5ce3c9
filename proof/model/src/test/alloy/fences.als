/*
 * How a handler's transaction completes a job of a lane: docs/inside/lanes.md says what a fence is, this says why the job takes effect once.
 *
 * One range, claimed once. Its owner may be stopped at any moment and go on later: the statement that writes a fence is two actions, a look
 * at the range and the insert of the key. Whoever rescues, cancels or moves a job has locked the range, and is one action; it cannot be
 * taken while an open transaction has the key. A run that has had no reply to a commit may open another transaction, but not a second one of
 * this kind: first it gets a row, as by any move. The database may lose its last commits: it then has what was durable. lanes.als has the
 * other ways of a job, and the tokens.
 */
module fences

sig Job {}
sig Tx { job: Job } // a transaction of the run of that job in the range
one sig Range {}

/** What is stored. A job's effect is written by its transactions, or by the runs of its row. */
abstract sig Memory {
  var fences, keys, done, moved, rows, rowDone: set Job, // fences: completed; keys: moved
  var settled: set Job, // by its run itself, with what is counted once: this sets its bit
  var effects: set Tx,
  var kept: lone Range
}
one sig Database, Durable extends Memory {}

var sig Looked, Open, Ended in Tx {} // has found the job in its range; has written the key; is over, committed or not
var sig Believed in Tx {}            // its program takes it for committed

abstract sig Guard {}
one sig MoveFences, MoveTakesFence, LookAtRange, OneTransaction, PruneLate, BitsFromFences, AsksFence extends Guard {}
one sig Off { off: set Guard }
pred on[g: Guard] { g not in Off.off }
fact { on[OneTransaction] implies all disj t, u: Tx | t.job != u.job }

fun D: Memory { Database }
pred keepDurable {
  Durable.fences' = Durable.fences and Durable.keys' = Durable.keys and Durable.done' = Durable.done
  Durable.moved' = Durable.moved and Durable.rows' = Durable.rows and Durable.rowDone' = Durable.rowDone
  Durable.effects' = Durable.effects and Durable.kept' = Durable.kept and Durable.settled' = Durable.settled
}
pred keepBits { D.done' = D.done and D.moved' = D.moved and D.kept' = D.kept }
pred keepKeys { D.fences' = D.fences and D.keys' = D.keys }
pred keepRows { D.rows' = D.rows and D.rowDone' = D.rowDone }
pred keepEffects { D.effects' = D.effects and D.settled' = D.settled }
pred keepTx { Looked' = Looked and Open' = Open and Ended' = Ended and Believed' = Believed }

// ---- The run ----
pred look[t: Tx] {
  t not in Looked + Ended and no u: Tx - t - Ended | u.job = t.job and u in Looked // one after the other
  on[LookAtRange] implies some D.kept and t.job not in D.moved
  Looked' = Looked + t and Open' = Open and Ended' = Ended and Believed' = Believed
  keepDurable and keepBits and keepKeys and keepRows and keepEffects
}
/** The primary key: it waits for an open transaction, and fails at what is committed. */
pred write[t: Tx] {
  t in Looked - Open - Ended and t.job not in D.fences + D.keys and no Open & job.(t.job)
  Open' = Open + t and Looked' = Looked and Ended' = Ended and Believed' = Believed
  keepDurable and keepBits and keepKeys and keepRows and keepEffects
}
pred refused[t: Tx] {
  t in Looked - Open - Ended and t.job in D.fences + D.keys
  Ended' = Ended + t and Looked' = Looked and Open' = Open and Believed' = Believed
  keepDurable and keepBits and keepKeys and keepRows and keepEffects
}
pred commit[t: Tx] {
  t in Open
  D.fences' = D.fences + t.job and D.keys' = D.keys and D.effects' = D.effects + t and D.settled' = D.settled
  Open' = Open - t and Ended' = Ended + t and Looked' = Looked
  Believed' = Believed or Believed' = Believed + t // the reply may be lost
  keepDurable and keepBits and keepRows
}
/** A run that has no transaction, or whose transaction had no reply, ends as completed; it opens no other. A move is the other way. */
pred settle[j: Job] {
  some D.kept and j not in D.done + D.moved
  on[AsksFence] implies no Looked & job.j
  D.done' = D.done + j and D.settled' = D.settled + j and D.moved' = D.moved and D.kept' = D.kept and D.effects' = D.effects
  Looked' = Looked + job.j and Ended' = Ended + (job.j - Open) and Open' = Open and Believed' = Believed
  keepDurable and keepKeys and keepRows
}
pred rollback[t: Tx] {
  t in Open
  Open' = Open - t and Ended' = Ended + t and Looked' = Looked and Believed' = Believed
  keepDurable and keepBits and keepKeys and keepRows and keepEffects
}

// ---- Under the lock of the range ----
pred setBits[j: Job] {
  some D.kept and j not in D.done + D.moved
  on[BitsFromFences] implies j in D.fences else j in D.fences + Believed.job
  D.done' = D.done + j and D.fences' = D.fences - j and D.keys' = D.keys and D.moved' = D.moved and D.kept' = D.kept
  keepDurable and keepRows and keepEffects and keepTx
}
pred move[j: Job] {
  some D.kept and j not in D.done + D.moved
  on[MoveTakesFence] implies j not in D.fences
  on[MoveFences] implies (no Open & job.j and D.keys' = D.keys + j) else D.keys' = D.keys
  D.moved' = D.moved + j and D.rows' = D.rows + j and D.rowDone' = D.rowDone and D.done' = D.done and D.kept' = D.kept
  D.fences' = D.fences
  keepDurable and keepEffects and keepTx
}
/** The row's own fence is the token: its job takes effect once there. */
pred runRow[j: Job] {
  j in D.rows - D.rowDone
  D.rowDone' = D.rowDone + j and D.rows' = D.rows
  keepDurable and keepBits and keepKeys and keepEffects and keepTx
}
/** No statement that has looked before the range was closed is still about to insert: the code waits a minute. */
pred prune {
  some D.kept and Job in D.done + D.moved
  on[PruneLate] implies no Looked - Open - Ended
  no D.kept' and D.keys' = D.keys - D.moved and D.fences' = D.fences
  D.done' = D.done and D.moved' = D.moved
  keepDurable and keepRows and keepEffects and keepTx
}

// ---- The database ----
pred flush {
  Durable.fences' = D.fences and Durable.keys' = D.keys and Durable.done' = D.done and Durable.moved' = D.moved
  Durable.rows' = D.rows and Durable.rowDone' = D.rowDone and Durable.effects' = D.effects and Durable.kept' = D.kept
  Durable.settled' = D.settled
  keepBits and keepKeys and keepRows and keepEffects and keepTx
}
/** Open transactions end, and later commits are gone, with their effects. */
pred lose {
  D.fences' = Durable.fences and D.keys' = Durable.keys and D.done' = Durable.done and D.moved' = Durable.moved
  D.rows' = Durable.rows and D.rowDone' = Durable.rowDone and D.effects' = Durable.effects and D.kept' = Durable.kept
  D.settled' = Durable.settled
  Ended' = Ended + Looked and no Open' and Looked' = Looked and Believed' = Believed
  keepDurable
}

pred init {
  no Memory.fences + Memory.keys + Memory.done + Memory.moved + Memory.rows + Memory.rowDone + Memory.settled and no Memory.effects
  Memory.kept = Range and all m: Memory | some m.kept
  no Looked + Open + Ended + Believed
}
pred stutter { keepDurable and keepBits and keepKeys and keepRows and keepEffects and keepTx }
pred step {
  stutter or flush or lose or prune
  or (some t: Tx | look[t] or write[t] or refused[t] or commit[t] or rollback[t])
  or (some j: Job | setBits[j] or settle[j] or move[j] or runRow[j])
}
pred system { init and always step }

// ---- Promises ----
pred Once {
  all j: Job | lone D.effects & job.j
  no D.effects.job & (D.rowDone + D.settled) and no D.settled & D.rowDone
}
pred DoneHasEffect { D.done + D.fences in D.effects.job + D.settled }
pred OnePlace { no D.moved & (D.done + D.fences) and D.moved = D.rows }
pred promises { Once and DoneHasEffect and OnePlace }

pred without[g: Guard] { system and Off.off = g }
check Promises { (system and no Off.off) implies always promises } for 1 Job, 1 Tx, 9 steps expect 0
check PromisesLarger { (system and no Off.off) implies always promises } for 2 Job, 2 Tx, 12 steps expect 0
// The model is not empty
run Reachable {
  system and no Off.off and eventually (some D.done and some D.rowDone and no D.kept)
} for 2 Job, 2 Tx, 10 steps expect 1

// ---- Broken twins: each must have an instance ----
run TwinMoveFences { without[MoveFences] and eventually not promises } for 1 Job, 1 Tx, 8 steps expect 1
run TwinMoveTakesFence { without[MoveTakesFence] and eventually not promises } for 1 Job, 1 Tx, 8 steps expect 1
run TwinLookAtRange { without[LookAtRange] and eventually not promises } for 1 Job, 1 Tx, 9 steps expect 1
run TwinOneTransaction { without[OneTransaction] and eventually not promises } for 1 Job, 2 Tx, 9 steps expect 1
run TwinPruneLate { without[PruneLate] and eventually not promises } for 1 Job, 1 Tx, 9 steps expect 1
run TwinBitsFromFences { without[BitsFromFences] and eventually not promises } for 1 Job, 1 Tx, 8 steps expect 1
run TwinAsksFence { without[AsksFence] and eventually not promises } for 1 Job, 1 Tx, 8 steps expect 1
