package dev.pawl.internal.store;

import dev.pawl.Strategy;

/**
 * The strategy picked for jobs that have rows of their own.
 *
 * @param strategy one that claims rows
 * @param reason for people to read
 */
public record StrategyChoice(Strategy strategy, String reason) {}
