package dev.pawl.conformance.contract;

/** What must hold of every strategy on every database. */
interface StrategyConformance
        extends ClaimContract,
                FenceContract,
                LostCommitContract,
                LeaseContract,
                WorkerContract,
                WorkerLifeContract,
                SlotWorkerContract {}
