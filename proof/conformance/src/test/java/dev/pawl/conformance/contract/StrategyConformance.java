package dev.pawl.conformance.contract;

/** The contracts of every strategy on every database. */
interface StrategyConformance
        extends ClaimContract,
                FenceContract,
                LostCommitContract,
                LeaseContract,
                WorkerContract,
                WorkerLifeContract,
                SlotWorkerContract {}
