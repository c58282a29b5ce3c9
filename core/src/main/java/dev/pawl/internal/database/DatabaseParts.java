package dev.pawl.internal.database;

import dev.pawl.internal.enqueue.InsertJobs;
import dev.pawl.internal.lane.OneStatementClaim;
import dev.pawl.internal.settle.CompleteAll;
import dev.pawl.internal.store.Claim;
import dev.pawl.internal.store.StrategyChoice;
import org.jspecify.annotations.Nullable;

/**
 * What a database does its own way.
 *
 * @param insertJobs how it writes jobs
 * @param choice the strategy that suits it
 * @param ownClaim the claim of that strategy; null if the choice is the optimistic one, which is the same everywhere
 * @param completeAll its faster way to complete; null for the plain one
 * @param ownLaneClaim its faster way to claim from a lane; null for the plain one
 */
public record DatabaseParts(
        InsertJobs insertJobs,
        StrategyChoice choice,
        @Nullable Claim ownClaim,
        @Nullable CompleteAll completeAll,
        @Nullable OneStatementClaim ownLaneClaim) {}
