/*
 * The protocol of lanes, as it is built: docs/inside/lanes.md says what it is, this says why it is right.
 *
 * One lane. Job atoms are ids, in order; a job's transaction may commit at any time or never, so ids become visible out of
 * order. Whatever reads first and writes later, without a lock in between, is two actions (plan, then commit), so that
 * others can come between. What a worker knows (holds, running, what it believes of its ranges, its plan) is not touched by
 * what others do to the database: a worker that was stopped for an hour is one that acts later on old knowledge.
 *
 * A transaction is one step. A reply may be lost: the write took effect, and the worker does not know and writes again; or
 * the write has not taken effect yet, and does so later, when nobody expects it any more (delay, arrive).
 *
 * Time is left out: a lease may run out at any moment, and a late job may be found at any moment (that it is found is not
 * shown). A worker knows its own deadline, which is never later than the database's. Left out as well: a second lane (each
 * statement names one lane and nothing that is written in one is read in another, so a second lane adds nothing but cost),
 * priorities, pauses, retention of single jobs, a worker's row that is deleted, attempts other than the last one.
 *
 * Each guard is an atom; a broken twin is a run with that guard in Off.off, and must have an instance.
 * All guards are built; RescueFresh by a test that the lease has not been renewed since the job was found.
 */
module lanes
open util/ordering[Job] as id
open util/ordering[Token] as tok

sig Token {}
sig Job {
  var rowTok: lone Token,          // lease_token of its row in pawl_job, or in the history
  var rowOwner: lone Worker,       // running there
  var marked: set Token,           // announced, in its worker's row: (job, token)
  var granted, ended: set Token    // history: tokens ever handed out, and those whose claim has ended
}
sig Once in Job {}                 // maxAttempts(1)
sig Range {
  var key, ids: set Job,         // the ids up to the end of the range before; and exactly the ids that it claims
  var done, moved: set Job,        // bits
  var owner: lone Worker,          // none for a range of jobs that have all moved (cancel, drain)
  var kDone, kMoved: set Job,      // what its owner believes of it
  var zDone, zKnown, zMoved: set Job // a write of bits that is under way: what it writes, over what it believes
}
sig Worker {
  var holds, running: Job -> Token, // believes it holds; handlers
  var aim: lone Aim, var plan, seen: set Job, var aimAt: lone Range // seen: the ids up to the end that it has read
}
abstract sig Aim {}
one sig ToClaim, ToCancel, ToFind, ToRescue, ToJudge, ToCharge extends Aim {}

var sig Committed, Log in Job {}             // enqueue committed; its row is in the lane
var sig Row, RowExpired, Asked in Job {}     // has a row in pawl_job; its lease there ran out; it was asked to stop
var sig Expired in Range {}
var sig Doubt, Sent in Range {}              // its owner has had no reply; a write is under way
// History, for the promises only
var sig Finished, Begun, Twice, Wrong, Regress, Unfair, Refused in Job {}

abstract sig Guard {}
one sig
  ClaimKey, ExactSet, CancelKey, LookAgain, RecountDeletes, RowFromLane, PruneExact, PruneOldestFirst, NewestStays, EndTest,
  TokenTest, BitTest, MovesTest, DoneTest, DoubtLooks, OneLook, DoneLessMoved, PrunedAsksRow,
  RescueLocked, RescueFresh, RescueCharges, ChargeByMark, MarkAhead, MarkNames, StartInTime,
  MoveAtomic, MoveKeepsToken, RowTokenGrows
extends Guard {}
one sig Off { off: set Guard }
one sig Pick { var some1: set Job }          // an arbitrary set, chosen anew in each state
pred on[g: Guard] { g not in Off.off }

// ---- Places where an unfinished job can be ----
fun T1: Token { tok/first }
fun upTo[s: set Job]: set Job { s + id/prevs[s] }
fun kept: set Range { ids.Job }
fun end: set Job { upTo[Range.ids] }
fun span[r: Range]: set Job { upTo[r.ids] - r.key }
fun left[r: Range]: set Job { r.ids - r.done - r.moved }
fun claimable: set Job { Log - end }
fun late: set Job { (Log & end) - Range.ids }
/** Late jobs that somebody finds: in a range that is kept, or before all of them. */
fun findable: set Job { { j: late | (some r: kept | j in span[r]) or (all r: kept | j in r.key) } }
fun inRange: set Job { { j: Job | some r: Range | j in left[r] } }
/** The claim under which it runs now. */
fun live: Job -> Token { { j: Job, t: Token | (t = T1 and j in inRange) or (j in Row and some j.rowOwner and t = j.rowTok) } }
fun overdue: set Job { { j: Job | (some r: Expired | j in left[r]) or j in RowExpired } }

// ---- Frames ----
pred keepLane { Committed' = Committed and Log' = Log }
pred keepKeys { key' = key and ids' = ids and owner' = owner }
pred keepBits { done' = done and moved' = moved }
pred keepLease { Expired' = Expired }
pred keepMind { kDone' = kDone and kMoved' = kMoved and Doubt' = Doubt }
pred keepSent { zDone' = zDone and zKnown' = zKnown and zMoved' = zMoved and Sent' = Sent }
pred keepRange { keepKeys and keepBits and keepLease and keepMind and keepSent }
pred keepRow { Row' = Row and RowExpired' = RowExpired and Asked' = Asked and rowTok' = rowTok and rowOwner' = rowOwner }
pred keepLocal { holds' = holds and running' = running }
pred keepPlan { plan' = plan and aim' = aim and seen' = seen and aimAt' = aimAt }
pred keepMarks { marked' = marked and Unfair' = Unfair }
pred keepGrant { granted' = granted and ended' = ended and Regress' = Regress }
pred keepBegun { Begun' = Begun and Twice' = Twice }
pred keepEnds { Finished' = Finished and Wrong' = Wrong and Refused' = Refused }
pred keepHistory { keepMarks and keepGrant and keepBegun and keepEnds }
pred forgetPlan[w: Worker] {
  plan' = plan - w -> Job and seen' = seen - w -> Job and aim' = aim - w -> Aim and aimAt' = aimAt - w -> Range
}
pred prefixOf[s, whole: set Job] { s in whole and whole & id/prevs[s] in s }

// ---- Enqueue ----
pred enqueue[j: Job] {
  j not in Committed
  Log' = Log + j and Committed' = Committed + j
  keepRange and keepRow and keepLocal and keepPlan and keepHistory
}

// ---- Reads that precede a write ----
pred planned[w: Worker, a: Aim, jobs, e: set Job, r: set Range] {
  plan' = plan - w -> Job + w -> jobs and seen' = seen - w -> Job + w -> e
  aim' = aim - w -> Aim + w -> a and aimAt' = aimAt - w -> Range + w -> r
  keepLane and keepRange and keepRow and keepLocal and keepHistory
}
/** For a claim or a drain: the end, and jobs beyond it, in one statement or the end first. */
pred planClaim[w: Worker] { some Pick.some1 and prefixOf[Pick.some1, claimable] and planned[w, ToClaim, Pick.some1, end, none] }
/** A person's look at a job in the lane: it belongs to no range. The end is read later. */
pred planCancel[w: Worker, j: Job] { j in claimable + late and planned[w, ToCancel, j, none, none] }
pred planFind[w: Worker, j: Job] { j in findable and planned[w, ToFind, j, none, none] }
pred planRescue[w: Worker, r: Range] { // only the twin needs it
  not on[RescueLocked] and r in Expired and some left[r] and planned[w, ToRescue, left[r], none, r]
}
pred planJudge[w: Worker, j: Job] { // only the twin needs it
  not on[RescueFresh] and j in RowExpired
  planned[w, (j.rowTok in j.marked implies ToCharge else ToJudge), j, none, none]
}

// ---- A range is written behind the end that was read: the key lets one win ----
pred newRange[r: Range, a, jobs, m: set Job, w: set Worker] {
  no r.ids
  on[ClaimKey] implies no q: kept | q.key = a
  on[EndTest] implies a = end // a key may be free again: the range that had it may be pruned
  key' = key + r -> a
  ids' = ids + r -> jobs and owner' = owner + r -> w
  moved' = moved + r -> m and done' = done and kDone' = kDone and kMoved' = kMoved
  Expired' = Expired - r and Doubt' = Doubt and keepSent
}
pred claim[w: Worker, r: Range] {
  w.aim = ToClaim
  let p = w.plan, extra = on[ExactSet] implies none else upTo[p] - w.seen - p {
    newRange[r, w.seen, p + extra, extra, w]
    // if the reply is lost and nothing tells, nobody holds it until its lease is over
    holds' = holds + w -> p -> T1 or holds' = holds
    granted' = granted + p -> T1 and Regress' = Regress + { j: p | some j.granted }
    Wrong' = Wrong
  }
  running' = running and ended' = ended
  marked' = marked or marked' = marked + (w.plan - Once) -> T1 // claimed ahead, or for handlers that are free
  Unfair' = Unfair
  forgetPlan[w] and keepLane and keepRow and keepBegun
  Finished' = Finished and Refused' = Refused
}

/** Rows of jobs that were never claimed: with the token of a lane's claim, as if they had been. */
pred availableRows[s: set Job] {
  no s & Row // the primary key
  Row' = Row + s and rowTok' = rowTok ++ s -> T1 and rowOwner' = rowOwner and RowExpired' = RowExpired and Asked' = Asked
}
/** A worker with another strategy: a range in which all have moved. */
pred drain[w: Worker, r: Range] {
  w.aim = ToClaim
  newRange[r, w.seen, w.plan, w.plan, none] and availableRows[w.plan]
  forgetPlan[w] and keepLane and keepLocal and keepHistory
}
/** Cancel takes an available job out: the end moves on by the head; one that is not the head leaves the lane. */
pred takeAvailable[w: Worker, r: Range] {
  w.aim = ToCancel and w.plan in Log
  (w.plan in end or not on[CancelKey]) implies {
    on[LookAgain] implies no w.plan & Range.ids
    availableRows[w.plan] and Log' = Log - w.plan and keepRange
  } else {
    let head = { j: claimable | no claimable & id/prevs[j] } |
      newRange[r, end, head, head, none] and availableRows[head + w.plan] and Log' = Log - (w.plan - head)
  }
  Committed' = Committed
  forgetPlan[w] and keepLocal and keepHistory
}
/** A late job gets a row, and leaves the lane. */
pred find[w: Worker] {
  w.aim = ToFind
  on[RowFromLane] implies w.plan in Log
  availableRows[w.plan]
  on[RecountDeletes] implies Log' = Log - w.plan else Log' = Log
  Committed' = Committed
  forgetPlan[w] and keepRange and keepLocal and keepHistory
}
/** Retention: a finished range goes, with the rows of exactly its jobs; the oldest first, the newest never. */
pred prune[r: Range] {
  some r.ids and no left[r]
  on[PruneOldestFirst] implies all q: kept | r.key in q.key
  on[NewestStays] implies some q: kept - r | r.key in q.key
  Log' = Log - (on[PruneExact] implies r.ids else span[r])
  key' = key - r -> Job and ids' = ids - r -> Job and owner' = owner - r -> Worker
  done' = done - r -> Job and moved' = moved - r -> Job and Expired' = Expired - r
  kDone' = kDone - r -> Job and kMoved' = kMoved - r -> Job and Doubt' = Doubt - r
  zDone' = zDone - r -> Job and zKnown' = zKnown - r -> Job and zMoved' = zMoved - r -> Job and Sent' = Sent - r
  Committed' = Committed and keepRow and keepLocal and keepPlan and keepHistory
}

// ---- Moves: as it is, running, under the same token and lease ----
pred runningRows[r: Range, s: set Job, over: set Job] {
  no s & Row
  Row' = Row + s and rowTok' = rowTok ++ s -> T1 and rowOwner' = rowOwner + s -> r.owner
  RowExpired' = RowExpired + over and Asked' = Asked
}
pred moveBits[r: Range, s: set Job] {
  moved' = moved + r -> s and done' = done
  keepKeys and keepLease and keepSent
}
/** For run.transaction, progress, or because it takes long. The reply may be lost. */
pred detach[w: Worker, j: Job] {
  T1 in w.holds[j]
  some r: owner.w {
    j in left[r] and runningRows[r, j, r in Expired implies j else none] and moveBits[r, j]
    keepMind or (kMoved' = kMoved + r -> moved'[r] and kDone' = kDone + r -> r.done and Doubt' = Doubt - r)
  }
  keepLane and keepLocal and keepPlan and keepHistory
}
/** A person cancels a running job: it is moved, and then asked to stop in its row. */
pred takeRunning[r: Range, j: Job] {
  j in left[r] and runningRows[r, j, r in Expired implies j else none] and moveBits[r, j] and keepMind
  keepLane and keepLocal and keepPlan and keepHistory
}
/** All that is left of an expired range, or one by one. */
pred rescueRange[r: Range] {
  on[RescueLocked] and r in Expired
  let s = Pick.some1 {
    some s and s in left[r] and runningRows[r, s, s] and moveBits[r, s] and keepMind
  }
  keepLane and keepLocal and keepPlan and keepHistory
}
pred rescueUnlocked[w: Worker] {
  w.aim = ToRescue
  let r = w.aimAt, s = w.plan { runningRows[r, s, s] and moveBits[r, s] and keepMind }
  forgetPlan[w] and keepLane and keepLocal and keepHistory
}

// ---- Leases of ranges ----
pred expire[r: Range] {
  some left[r] and r not in Expired and some r.owner
  Expired' = Expired + r
  keepKeys and keepBits and keepMind and keepSent
  keepLane and keepRow and keepLocal and keepPlan and keepHistory
}
/** Tells the worker what has moved. */
pred renew[w: Worker, r: Range] {
  r.owner = w and some w.holds & r.ids -> T1 and some left[r]
  Expired' = Expired - r and kMoved' = kMoved + r -> r.moved and kDone' = kDone and Doubt' = Doubt
  keepKeys and keepBits and keepSent
  keepLane and keepRow and keepLocal and keepPlan and keepHistory
}

// ---- The worker ----
pred announce[w: Worker, j: Job, t: Token] {
  t in w.holds[j] and marked' = marked + j -> t and Unfair' = Unfair
  keepLane and keepRange and keepRow and keepLocal and keepPlan and keepGrant and keepBegun and keepEnds
}
pred start[w: Worker, j: Job, t: Token] {
  t in w.holds[j] - w.running[j]
  on[MarkAhead] implies t in j.marked
  on[StartInTime] implies (j -> t in live and j not in overdue)
  running' = running + w -> j -> t and holds' = holds
  Begun' = Begun + j and Twice' = Twice + (j & Begun)
  keepLane and keepRange and keepRow and keepPlan and keepMarks and keepGrant and keepEnds
}
pred crash[w: Worker] {
  some w.holds
  holds' = holds - w -> Job -> Token and running' = running - w -> Job -> Token
  forgetPlan[w] and keepLane and keepRange and keepRow and keepHistory
}

abstract sig Outcome {}
one sig Completed, Failed, Snoozed, Released extends Outcome {}

/** Which completions the owner takes for recorded. */
fun known[r: Range]: set Job { on[DoneLessMoved] implies r.kDone - r.kMoved else r.kDone }
/** All bits in one write, or a look under the lock first? */
pred simple[r: Range, j: Job] {
  on[DoubtLooks] implies r not in Doubt
  on[OneLook] implies j not in r.kMoved
}
pred fits[r: Range, d, m: set Job] { // the fence of that write: the numbers of moved and done jobs
  on[MovesTest] implies m = r.moved
  on[DoneTest] implies d = r.done
}
pred full[r: Range, d, m: set Job] { // by their numbers, as the code counts
  on[DoneLessMoved] and on[OneLook] implies r.ids in d + m else #(d & m) = #(r.ids - d - m)
}
pred accepts[j: Job, t: Token] {
  Wrong' = Wrong + { x: j | x in Finished or t in x.ended or some tok/nexts[t] & x.granted }
  ended' = ended + j -> t and granted' = granted and Regress' = Regress and Refused' = Refused
}
pred changesNothing { keepBits and keepRow and keepGrant and keepBegun and keepEnds }

/** In its row, or as one transaction with its move to there. */
pred inRow[j: Job, t: Token, o: Outcome] {
  accepts[j, t]
  let ends = { x: j | o = Completed or (o = Failed and x in Once) or x in Asked } {
    Row' = Row + j - ends and Finished' = Finished + ends
  }
  rowTok' = rowTok ++ j -> t and rowOwner' = rowOwner - j -> Worker
  RowExpired' = RowExpired - j and Asked' = Asked - j
  Begun' = (o = Snoozed implies Begun - j else Begun) and Twice' = Twice
}
pred asRow[w: Worker, j: Job, t: Token, o: Outcome] {
  keepBits
  j in Row and some j.rowOwner and (on[TokenTest] implies j.rowTok = t)
    implies inRow[j, t, o] else (keepRow and keepGrant and keepBegun and keepEnds)
}
/** A refused outcome changes nothing but the worker's mind; one whose reply is lost not even that. */
pred outcome[w: Worker, j: Job, t: Token, o: Outcome] {
  t in w.holds[j] and (o = Released iff t not in w.running[j])
  keepLane and keepPlan and keepMarks and keepKeys and keepLease and keepSent
  let r = { r: owner.w | t = T1 and j in r.ids } {
    // what the worker learns
    (holds' = holds and running' = running and kDone' = kDone and kMoved' = kMoved and Doubt' = Doubt + r)
    or {
      holds' = holds - w -> j -> t and running' = running - w -> j -> t
      (some r and o = Completed and simple[r, j] and fits[r, known[r], r.kMoved]) implies
        (kDone' = kDone + r -> j and kMoved' = kMoved and Doubt' = Doubt)
      else (kDone' = kDone + r -> r.done' and kMoved' = kMoved + r -> r.moved' and Doubt' = Doubt - r)
    }
    // what the database does
    no r implies {
      (on[PrunedAsksRow] or t != T1) implies asRow[w, j, t, o] else {
        keepBits and keepRow and keepGrant and keepBegun and Finished' = Finished and Wrong' = Wrong
        Refused' = Refused + (live.t & j)
      }
    } else (o = Completed and simple[r, j] and fits[r, known[r], r.kMoved]) implies {
      let d = known[r] + j | done' = done - r -> Job + r -> (full[r, d, r.kMoved] implies r.ids - r.moved else d)
      moved' = moved and keepRow and keepBegun
      j in r.done implies (keepGrant and keepEnds) else (accepts[j, t] and Finished' = Finished + j)
    } else (j in r.moved and on[BitTest]) implies asRow[w, j, t, o]
    else j in r.done implies changesNothing // our own bit: only the owner sets these
    else o = Completed implies {
      done' = done + r -> j and moved' = moved and keepRow and keepBegun
      accepts[j, t] and Finished' = Finished + j
    } else {
      done' = done
      on[MoveAtomic] implies (moved' = moved + r -> j and moveAndEnd[j, t, o])
        else ((moved' = moved + r -> j and keepRow and keepGrant and keepBegun and keepEnds) or (moved' = moved and moveAndEnd[j, t, o]))
    }
  }
}
pred moveAndEnd[j: Job, t: Token, o: Outcome] {
  on[MoveKeepsToken] implies inRow[j, t, o] else {
    accepts[j, t]
    let ends = { x: j | o = Failed and x in Once } | Row' = Row + j - ends and Finished' = Finished + ends
    rowTok' = rowTok and rowOwner' = rowOwner and RowExpired' = RowExpired and Asked' = Asked
    Begun' = (o = Snoozed implies Begun - j else Begun) and Twice' = Twice
  }
}
/** A completion is sent, the connection is cut, and the server gets to it later. */
pred delay[w: Worker, j: Job] {
  T1 in w.running[j]
  some r: owner.w - Sent {
    j in r.ids and simple[r, j] and not full[r, known[r] + j, r.kMoved]
    zDone' = zDone + r -> (known[r] + j) and zKnown' = zKnown + r -> known[r] and zMoved' = zMoved + r -> r.kMoved
    Sent' = Sent + r and Doubt' = Doubt + r
  }
  kDone' = kDone and kMoved' = kMoved
  keepKeys and keepBits and keepLease and keepLane and keepRow and keepLocal and keepPlan and keepHistory
}
pred arrive[r: Range] {
  r in Sent
  fits[r, r.zKnown, r.zMoved] implies {
    let new = r.zDone - r.done {
      done' = done - r -> Job + r -> r.zDone and moved' = moved
      Wrong' = Wrong + { x: new | x in Finished or T1 in x.ended or some tok/nexts[T1] & x.granted }
      ended' = ended + new -> T1 and Finished' = Finished + new
      granted' = granted and Regress' = Regress and Refused' = Refused
    }
  } else (keepBits and keepGrant and keepEnds)
  zDone' = zDone - r -> Job and zKnown' = zKnown - r -> Job and zMoved' = zMoved - r -> Job and Sent' = Sent - r
  keepKeys and keepLease and keepMind
  keepLane and keepRow and keepLocal and keepPlan and keepMarks and keepBegun
}

// ---- A person tries again ----
/** A completed job of a lane. By hand, it may begin once more. */
pred retryInLane[r: Range, j: Job] {
  j in r.done - r.moved and j in Log and j not in Row
  done' = done - r -> j and moved' = moved + r -> j
  Row' = Row + j and rowTok' = rowTok ++ j -> T1 and rowOwner' = rowOwner and RowExpired' = RowExpired and Asked' = Asked
  Finished' = Finished - j and Begun' = Begun - j and Twice' = Twice
  Wrong' = Wrong and Refused' = Refused
  keepKeys and keepLease and keepMind and keepSent
  keepLane and keepLocal and keepPlan and keepMarks and keepGrant
}
pred retryInRow[j: Job] {
  j in Finished - Row and some j.rowTok
  Row' = Row + j and rowTok' = rowTok and rowOwner' = rowOwner and RowExpired' = RowExpired and Asked' = Asked
  Finished' = Finished - j and Begun' = Begun - j and Twice' = Twice
  Wrong' = Wrong and Refused' = Refused
  keepRange and keepLane and keepLocal and keepPlan and keepMarks and keepGrant
}

// ---- The row path ----
pred claimRow[w: Worker, j: Job] {
  j in Row and no j.rowOwner
  some t: Token {
    t = (no j.rowTok implies T1 else not on[RowTokenGrows] implies j.rowTok else j.rowTok.(tok/next))
    rowTok' = rowTok ++ j -> t and rowOwner' = rowOwner + j -> w
    holds' = holds + w -> j -> t or holds' = holds
    granted' = granted + j -> t and Regress' = Regress + { x: j | some x.granted & (t + tok/nexts[t]) }
  }
  running' = running and Row' = Row and RowExpired' = RowExpired - j and Asked' = Asked - j
  ended' = ended and keepLane and keepRange and keepPlan and keepMarks and keepBegun and keepEnds
}
pred expireRow[j: Job] {
  j in Row - RowExpired and some j.rowOwner
  RowExpired' = RowExpired + j and Row' = Row and Asked' = Asked and rowTok' = rowTok and rowOwner' = rowOwner
  keepLane and keepRange and keepLocal and keepPlan and keepHistory
}
pred renewRow[w: Worker, j: Job] {
  j in RowExpired and j.rowOwner = w and j.rowTok in w.holds[j]
  RowExpired' = RowExpired - j and Row' = Row and Asked' = Asked and rowTok' = rowTok and rowOwner' = rowOwner
  keepLane and keepRange and keepLocal and keepPlan and keepHistory
}
pred cancelRow[j: Job] {
  j in Row
  some j.rowOwner implies (Asked' = Asked + j and Row' = Row and Finished' = Finished)
    else (Asked' = Asked and Row' = Row - j and Finished' = Finished + j)
  RowExpired' = RowExpired and rowTok' = rowTok and rowOwner' = rowOwner
  keepLane and keepRange and keepLocal and keepPlan and keepMarks and keepGrant and keepBegun
  Wrong' = Wrong and Refused' = Refused
}
pred rescues[j: Job, charged: set Job] {
  let dead = (charged & Once) + (j & Asked) {
    Row' = Row - dead and Finished' = Finished + dead
    Unfair' = Unfair + ((charged & Once) - Asked - marked.(j.rowTok))
  }
  RowExpired' = RowExpired - j and Asked' = Asked - j and rowOwner' = rowOwner - j -> Worker and rowTok' = rowTok
  ended' = ended + j -> j.rowTok and granted' = granted and Regress' = Regress
  marked' = marked and Wrong' = Wrong and Refused' = Refused and keepBegun
  keepLane and keepRange and keepLocal
}
pred rescueRow[j: Job] {
  on[RescueFresh] and j in RowExpired and keepPlan
  let names = on[MarkNames] implies j & marked.(j.rowTok) else j & marked.Token |
    rescues[j, (not on[RescueCharges] implies none else on[ChargeByMark] implies names else j)]
}
/** What a rescuer found stands when it writes, whatever has been announced meanwhile. */
pred rescueLate[w: Worker] {
  some w.aim & (ToJudge + ToCharge) and forgetPlan[w] and w.plan in RowExpired
  some j: w.plan | rescues[j, (w.aim = ToCharge implies j else none)]
}

// ---- The system ----
pred init {
  Log = Committed
  no Row + RowExpired + Asked + Finished + Begun + Twice + Wrong + Regress + Unfair + Refused
  no key and no ids and no done and no moved and no owner and no kDone and no kMoved and no zDone and no zKnown and no zMoved
  no Expired + Doubt + Sent
  no holds and no running and no plan and no aim and no aimAt and no seen
  no rowTok and no rowOwner and no marked and no granted and no ended
}
pred stutter { keepLane and keepRange and keepRow and keepLocal and keepPlan and keepHistory }
pred step {
  stutter
  or (some j: Job | enqueue[j] or retryInRow[j] or expireRow[j] or rescueRow[j] or cancelRow[j])
  or (some r: Range | expire[r] or prune[r] or rescueRange[r] or arrive[r])
  or (some r: Range, j: Job | takeRunning[r, j] or retryInLane[r, j])
  or (some w: Worker | planClaim[w] or find[w] or crash[w] or rescueUnlocked[w] or rescueLate[w])
  or (some w: Worker, r: Range | claim[w, r] or drain[w, r] or takeAvailable[w, r] or renew[w, r] or planRescue[w, r])
  or (some w: Worker, j: Job | planCancel[w, j] or planFind[w, j] or planJudge[w, j] or claimRow[w, j] or renewRow[w, j]
      or detach[w, j] or delay[w, j])
  or (some w: Worker, j: Job, t: Token | announce[w, j, t] or start[w, j, t] or some o: Outcome | outcome[w, j, t, o])
}
pred system { init and always step }

// ---- Promises ----
pred NothingLost { Committed - Finished in claimable + findable + inRange + Row }
pred OnePlace {       // so at most one live claim
  no claimable & (late + inRange + Row) and no late & (inRange + Row) and no inRange & Row
  all j: Job | lone { r: Range | j in left[r] }
}
pred FinishedIsFinal { no Finished & (claimable + late + inRange + Row) } // until a person tries it again
pred AcceptedOnce { no Wrong }          // an outcome counts once, under the newest token, and never after its claim ended
pred NoneRefused { no Refused }         // an outcome of a claim that is still live counts
pred TokensGrow { no Regress }
pred OnceStartedOnce { no Twice & Once }
pred OnlyMarkedDiscarded { no Unfair }  // a rescue discards only what was announced, under the token that it had
pred promises {
  NothingLost and OnePlace and FinishedIsFinal and AcceptedOnce and NoneRefused and TokensGrow and OnceStartedOnce
  and OnlyMarkedDiscarded
}

// ---- Commands ----
pred sound { system and no Off.off }
pred without[g: set Guard] { system and Off.off = g }

// ---- An inductive invariant: holds at the start, every step keeps it, so the promises hold in traces of any length ----
pred shape {
  done + moved + kDone + kMoved + zDone + zKnown + zMoved in ids
  (key.Job + owner.Worker + Expired + Doubt + Sent) in kept and Expired + Sent + Doubt in owner.Worker
  all r: kept {
    prefixOf[r.key, Job] and no r.key & r.ids
    (some q: kept | r.key = upTo[q.ids]) or (all q: kept | r.key in q.key)
    no r.done & r.moved and r.kMoved in r.moved and r.kDone in r.done + r.moved
    r.zKnown in r.zDone and r.zMoved in r.moved and no r.zDone & r.zMoved
    r in Sent or no r.zDone + r.zMoved
    some r.owner or r.ids = r.moved
    left[r] in Log and r.moved in Row + Finished and r.done in Finished
  }
  all disj r, q: kept | no span[r] & span[q]
  Log + Range.ids + Row + Finished in Committed
  rowOwner.Worker in Row and RowExpired + Asked in rowOwner.Worker
}
pred tokens {
  marked in granted and ended in granted
  all j: claimable + late + (Job - Committed) | no j.granted and no j.rowTok
  all j: inRange + Range.done | j.granted = T1 and no j.rowTok
  all j: Range.done | T1 in j.ended
  all j: Row | some j.rowTok
  all j: Job | some j.rowTok implies j.granted in j.rowTok + tok/prevs[j.rowTok]
  granted - ended = live
}
pred knowledge {
  running in holds
  all w: Worker | w.holds in granted
  all r: Range, w: Worker | some w.holds & r.ids -> T1 implies w in r.owner or r.ids = r.moved
  all j: Row, w: Worker | j -> j.rowTok in w.holds and some j.rowOwner implies w = j.rowOwner
  all j: Job, t: Token | lone { w: Worker | t in w.holds[j] }
  all r: kept, j: left[r], w: Worker | T1 in w.holds[j] implies w = r.owner
}
pred onceFacts {
  all j: Once & Begun - Finished, t: live[j] | t in j.marked and all w: Worker | t in w.holds[j] implies t in w.running[j]
  Once & Begun - Finished in live.Token
}
pred plans {
  no aim.(ToRescue + ToJudge + ToCharge)
  all w: aim.ToClaim | some w.plan and w.seen in end and (w.seen = end implies w.plan in claimable)
  Worker.plan in Committed and all w: aim.ToFind | w.plan & Log in late
  all w: aim.(ToCancel + ToFind) | one w.plan
}
pred Inv { promises and shape and tokens and knowledge and onceFacts and plans }
check InvAtStart { (init and no Off.off) implies Inv } for 3 but 2 Range, 2 Worker, 3 Token, 1 steps expect 0
check InvKept { (no Off.off and Inv and step) implies after Inv } for 3 but 2 Range, 2 Worker, 3 Token, 2 steps expect 0

check InvKeptLarger { (no Off.off and Inv and step) implies after Inv } for 4 but 3 Range, 3 Worker, 3 Token, 2 steps expect 0
// The model is not empty
run Reachable { sound and eventually (some Finished & Range.done and some j: Row | #j.granted = 2 and some Row.rowOwner) }
  for 2 but 1 Range, 2 Worker, 2 Token, 9 steps expect 1

// ---- Broken twins: each must have an instance. Where the way is long, it is given, step by step ----
// In a database the test rests on a snapshot, and only the key tells of a claim at the same time; here a step is exact
run TwinClaimKey { without[ClaimKey + EndTest] and eventually not OnePlace } for 1 but 2 Range, 2 Worker, 2 Token, 6 steps expect 1
run TwinExactSet { without[ExactSet] and eventually not NothingLost } for 3 but 1 Range, 1 Worker, 2 Token, 6 steps expect 1
run TwinCancelKey { without[CancelKey] and eventually not OnePlace } for 1 but 1 Range, 2 Worker, 2 Token, 6 steps expect 1
run TwinLookAgain { without[LookAgain] and eventually not OnePlace } for 1 but 1 Range, 2 Worker, 2 Token, 6 steps expect 1
run TwinRecountDeletes {
  without[RecountDeletes] and eventually not FinishedIsFinal
  some w: Worker, r: Range, j: Job { planClaim[w]; claim[w, r]; enqueue[j]; planFind[w, j]; find[w]; cancelRow[j] }
} for 2 but 1 Range, 1 Worker, 2 Token, 8 steps expect 1
run TwinRowFromLane {
  without[RowFromLane] and eventually not FinishedIsFinal
  some disj v, w: Worker, r: Range, j: Job {
    planClaim[w]; claim[w, r]; enqueue[j]; planFind[w, j]; planFind[v, j]; find[w]; cancelRow[j]; find[v]
  }
} for 2 but 1 Range, 2 Worker, 2 Token, 10 steps expect 1
run TwinPruneExact {
  without[PruneExact] and eventually not NothingLost
  some w: Worker, disj r, q: Range, j: Job {
    planClaim[w]; drain[w, r]; enqueue[j]; enqueue[Job - j - Log]; planClaim[w]; drain[w, q]; prune[r]
  }
} for 3 but 2 Range, 1 Worker, 2 Token, 9 steps expect 1
run TwinPruneOldestFirst {
  without[PruneOldestFirst] and eventually not NothingLost
  some w: Worker, disj r, q, u: Range, j: Job {
    planClaim[w]; drain[w, r]; planClaim[w]; drain[w, q]; enqueue[j]; planClaim[w]; drain[w, u]; prune[q]
  }
} for 4 but 3 Range, 1 Worker, 2 Token, 10 steps expect 1
run TwinNewestStays { // either of the two is enough
  without[NewestStays + EndTest] and eventually not OnePlace
  some disj v, w: Worker, disj r, q: Range { planClaim[w]; drain[w, r]; planClaim[v]; prune[r]; planClaim[w]; drain[w, q]; claim[v, r] }
} for 3 but 2 Range, 2 Worker, 2 Token, 9 steps expect 1
run TwinEndTest {
  without[EndTest] and eventually not OnePlace
  some disj v, w: Worker, disj r, q: Range { planClaim[v]; planClaim[w]; drain[w, r]; planClaim[w]; drain[w, q]; prune[r]; claim[v, r] }
} for 2 but 2 Range, 2 Worker, 2 Token, 9 steps expect 1
run TwinTokenTest { without[TokenTest] and eventually not AcceptedOnce } for 1 but 1 Range, 2 Worker, 2 Token, 9 steps expect 1
run TwinBitTest { without[BitTest] and eventually not FinishedIsFinal } for 1 but 1 Range, 2 Worker, 2 Token, 8 steps expect 1
run TwinMovesTest { without[MovesTest] and eventually not FinishedIsFinal } for 1 but 1 Range, 2 Worker, 2 Token, 8 steps expect 1
run TwinDoneTest {
  without[DoneTest] and eventually not FinishedIsFinal
  some w: Worker, r: Range, disj a, b: Job {
    planClaim[w]; claim[w, r]; start[w, a, T1]; start[w, b, T1]; delay[w, a]; outcome[w, b, T1, Completed]; arrive[r]
  }
} for 2 but 1 Range, 1 Worker, 2 Token, 9 steps expect 1
run TwinDoubtLooks { // either of the two is enough
  without[DoubtLooks + DoneTest] and eventually not FinishedIsFinal
  some w: Worker, r: Range, disj a, b: Job {
    planClaim[w]; claim[w, r]; start[w, a, T1]; start[w, b, T1]; outcome[w, a, T1, Completed]; outcome[w, b, T1, Completed]
  }
} for 2 but 1 Range, 1 Worker, 2 Token, 8 steps expect 1
run TwinOneLook { without[OneLook] and eventually not FinishedIsFinal } for 1 but 1 Range, 1 Worker, 2 Token, 8 steps expect 1
run TwinDoneLessMoved { // either of the two is enough
  without[DoneLessMoved + DoneTest] and eventually not NothingLost
  some w: Worker, r: Range, disj a, b: Job {
    planClaim[w]; claim[w, r]; start[w, a, T1]; start[w, b, T1]; outcome[w, a, T1, Completed]; retryInLane[r, a]; renew[w, r];
    outcome[w, b, T1, Completed]
  }
} for 3 but 1 Range, 1 Worker, 2 Token, 10 steps expect 1
run TwinPrunedAsksRow {
  without[PrunedAsksRow] and eventually not NoneRefused
  some w: Worker, disj r, q: Range, j: Job {
    planClaim[w]; claim[w, r]; start[w, j, T1]; detach[w, j]; planClaim[w]; drain[w, q]; prune[r]; outcome[w, j, T1, Completed]
  }
} for 2 but 2 Range, 1 Worker, 2 Token, 10 steps expect 1
run TwinRescueLocked {
  without[RescueLocked] and eventually not FinishedIsFinal
  some disj v, w: Worker, r: Range, j: Job {
    planClaim[w]; claim[w, r]; start[w, j, T1]; expire[r]; planRescue[v, r]; outcome[w, j, T1, Completed]; rescueUnlocked[v]
  }
} for 1 but 1 Range, 2 Worker, 2 Token, 9 steps expect 1
run TwinRescueFresh {
  without[RescueFresh] and eventually not OnceStartedOnce
  some disj v, w: Worker, r: Range, j: Job {
    planClaim[w]; claim[w, r]; expire[r]; detach[w, j]; planJudge[v, j]; renewRow[w, j]; announce[w, j, T1]; start[w, j, T1];
    expireRow[j]; rescueLate[v]
  }
} for 1 but 1 Range, 2 Worker, 2 Token, 15 steps expect 1
run TwinRescueCharges {
  without[RescueCharges] and eventually not OnceStartedOnce
  some w: Worker, r: Range, j: Job {
    planClaim[w]; claim[w, r]; announce[w, j, T1]; start[w, j, T1]; expire[r]; rescueRange[r]; rescueRow[j]
  }
} for 1 but 1 Range, 1 Worker, 2 Token, 12 steps expect 1
run TwinChargeByMark { without[ChargeByMark] and eventually not OnlyMarkedDiscarded } for 1 but 1 Range, 1 Worker, 2 Token, 8 steps expect 1
run TwinMarkAhead {
  without[MarkAhead] and eventually not OnceStartedOnce
  some w: Worker, r: Range, j: Job { planClaim[w]; claim[w, r]; start[w, j, T1]; expire[r]; rescueRange[r]; rescueRow[j] }
} for 1 but 1 Range, 1 Worker, 2 Token, 10 steps expect 1
run TwinMarkNames {
  without[MarkNames] and eventually not OnlyMarkedDiscarded
  some w: Worker, r: Range, j: Job { planClaim[w]; claim[w, r]; announce[w, j, T1]; outcome[w, j, T1, Released]; claimRow[w, j] }
} for 1 but 1 Range, 1 Worker, 2 Token, 9 steps expect 1
run TwinStartInTime {
  without[StartInTime] and eventually not OnceStartedOnce
  some w: Worker, r: Range, j: Job { planClaim[w]; claim[w, r]; expire[r]; rescueRange[r]; rescueRow[j]; announce[w, j, T1]; start[w, j, T1] }
} for 1 but 1 Range, 2 Worker, 2 Token, 12 steps expect 1
run TwinMoveAtomicLoses { without[MoveAtomic] and eventually not NothingLost } for 1 but 1 Range, 1 Worker, 2 Token, 7 steps expect 1
run TwinMoveAtomicDoubles { without[MoveAtomic] and eventually not OnePlace } for 1 but 1 Range, 1 Worker, 2 Token, 7 steps expect 1
run TwinMoveKeepsToken { without[MoveKeepsToken] and eventually not TokensGrow } for 1 but 1 Range, 1 Worker, 2 Token, 8 steps expect 1
run TwinRowTokenGrows { without[RowTokenGrows] and eventually not TokensGrow } for 1 but 1 Range, 1 Worker, 2 Token, 8 steps expect 1
