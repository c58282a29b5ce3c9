package dev.pawl.internal.store;

import dev.pawl.Strategy;

/**
 * The strategy picked for a database.
 *
 * @param strategy never {@link Strategy.Auto}
 * @param reason for people to read
 */
public record StrategyChoice(Strategy strategy, String reason) {}
