package dev.pawl.testkit.conformance;

/** Everything that a database must do. A database is supported when a class that names its server passes. */
abstract class Conformance extends DatabaseTest
        implements EnqueueContract,
                ClaimContract,
                FenceContract,
                LeaseContract,
                AdminContract,
                WorkerContract,
                WorkerLifeContract,
                PlanContract,
                FaultContract,
                SlotContract {}
