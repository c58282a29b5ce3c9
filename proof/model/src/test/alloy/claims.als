/*
 * The fence of a claim in a database that may lose its last commits: a crash without synchronous commits, a replica that takes over, a
 * backup that is restored. lanes.als leaves that out, and shows everything else.
 *
 * A place is what a claim is written under: the id of a row, or a lane with the end of its last range. After a loss the database gives
 * places out a second time, to other jobs, and counts the same claims a second time. What programs know, and what they have drawn, is not
 * lost.
 */
module claims
open util/ordering[Number] as num

sig Number {} // how many claims a place has had, as the database counts
sig Draw {}   // what the program that claims has drawn
sig Worker {} // its number
sig Place {}
sig Job {}
sig Claim { place: Place, by: Worker, drawn: Draw, var number: lone Number }

/** What is stored: in the database, and what of it cannot be lost any more. */
abstract sig Memory { var at: Place -> lone Job, var count: Place -> lone Number, var running: Place -> lone Claim }
one sig Database, Durable extends Memory {}

var sig Made, Held in Claim {} // what programs know
var sig Wrong in Claim {}      // history: its outcome was accepted while another claim had the place

abstract sig Guard {}
one sig ClaimTest, DrawnOnce extends Guard {}
one sig Off { off: set Guard }
pred on[g: Guard] { g not in Off.off }
fact { on[DrawnOnce] implies all disj c, d: Claim | c.drawn != d.drawn }

pred keepDurable { Durable.at' = Durable.at and Durable.count' = Durable.count and Durable.running' = Durable.running }
pred keepDatabase { Database.at' = Database.at and Database.count' = Database.count and Database.running' = Database.running }
pred keepPrograms { Made' = Made and Held' = Held and number' = number }

pred enqueue[p: Place, j: Job] {
  no Database.at[p]
  Database.at' = Database.at + p -> j and Database.count' = Database.count and Database.running' = Database.running
  keepDurable and keepPrograms and Wrong' = Wrong
}
pred claim[c: Claim] {
  c not in Made and some Database.at[c.place] and no Database.running[c.place]
  some n: Number {
    n = (no Database.count[c.place] implies num/first else Database.count[c.place].(num/next))
    Database.count' = Database.count ++ c.place -> n
    number' = number + c -> n
  }
  Database.at' = Database.at and Database.running' = Database.running + c.place -> c
  Made' = Made + c and (Held' = Held + c or Held' = Held) // a reply may be lost
  keepDurable and Wrong' = Wrong
}
/** The fence of every write of an owner. */
pred fits[c, x: Claim] {
  x.number = c.number
  on[ClaimTest] implies x.drawn = c.drawn
}
pred outcome[c: Claim] {
  c in Held
  let x = Database.running[c.place] {
    (some x and fits[c, x]) implies {
      Database.running' = Database.running - c.place -> x
      Database.at' = Database.at - c.place -> Job or Database.at' = Database.at // it is done, or tried again
      Database.count' = Database.count
      Wrong' = Wrong + (c - x)
    } else (keepDatabase and Wrong' = Wrong)
  }
  Held' = Held - c and Made' = Made and number' = number and keepDurable
}
/** Its lease has expired. */
pred rescue[p: Place] {
  some Database.running[p]
  Database.running' = Database.running - p -> Claim and Database.at' = Database.at and Database.count' = Database.count
  keepDurable and keepPrograms and Wrong' = Wrong
}
pred sync {
  Durable.at' = Database.at and Durable.count' = Database.count and Durable.running' = Database.running
  keepDatabase and keepPrograms and Wrong' = Wrong
}
pred lose {
  Database.at' = Durable.at and Database.count' = Durable.count and Database.running' = Durable.running
  keepDurable and keepPrograms and Wrong' = Wrong
}
pred step {
  sync or lose or (some p: Place | rescue[p] or some j: Job | enqueue[p, j]) or (some c: Claim | claim[c] or outcome[c])
}
pred init {
  no Memory.at and no Memory.count and no Memory.running and no Made and no Held and no Wrong and no number
}
pred system { init and always step }

// ---- Promise: an outcome counts only for the claim under which its job runs ----
pred Inv { no Wrong and Place.(Memory.running) in Made and all p: Place, m: Memory | m.running[p].place in p }
check RightClaimAtStart { (init and no Off.off) implies Inv } for 4 but 1 steps expect 0
check RightClaimKept { (no Off.off and Inv and step) implies after Inv } for 4 but 2 steps expect 0
run ClaimsAreLost { // the model is not empty: the outcome of the claim after a loss is accepted
  system and no Off.off
  some disj c, d: Claim, p: Place, disj j, k: Job {
    c.place = p and d.place = p and c.by = d.by
    enqueue[p, j]; claim[c]; lose; enqueue[p, k]; claim[d]; outcome[c]; outcome[d]
    eventually (some Made and no Database.at and no Held and c.number = d.number)
  }
} for 2 but 10 steps expect 1

run TwinClaimTest {
  system and Off.off = ClaimTest and eventually some Wrong
  some disj c, d: Claim, p: Place, disj j, k: Job {
    c.place = p and d.place = p and c.by = d.by
    enqueue[p, j]; claim[c]; lose; enqueue[p, k]; claim[d]; outcome[c]
  }
} for 2 but 8 steps expect 1
run TwinDrawnOnce { system and Off.off = DrawnOnce and eventually some Wrong } for 2 but 8 steps expect 1
