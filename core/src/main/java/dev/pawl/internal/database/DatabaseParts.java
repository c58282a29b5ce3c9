package dev.pawl.internal.database;

import dev.pawl.internal.feature.InsertJobs;
import dev.pawl.internal.settle.CompleteAll;
import dev.pawl.internal.store.Claim;
import dev.pawl.internal.store.StrategyChoice;
import org.jspecify.annotations.Nullable;

/**
 * The statements of the main path, which differ by database.
 *
 * @param insertJobs writes jobs
 * @param choice the default strategy
 * @param ownClaim the claim of that strategy; null for the optimistic one, which is the same on all databases
 * @param completeAll a faster way to complete jobs; null for the common one
 */
public record DatabaseParts(
        InsertJobs insertJobs,
        StrategyChoice choice,
        @Nullable Claim ownClaim,
        @Nullable CompleteAll completeAll) {}
