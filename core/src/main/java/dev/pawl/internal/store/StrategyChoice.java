package dev.pawl.internal.store;

import dev.pawl.api.Strategy;

/**
 * The selected strategy for jobs that have rows of their own.
 *
 * @param strategy that claims rows
 * @param reason for people
 */
public record StrategyChoice(Strategy strategy, String reason) {
    /** {@return how jobs are claimed, for people} */
    public String describe() {
        return "jobs are claimed in ranges (lanes); those with a key, a limit or a delay one by one (" + strategy + ": "
                + reason + ")";
    }
}
