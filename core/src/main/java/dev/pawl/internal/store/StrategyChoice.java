package dev.pawl.internal.store;

import dev.pawl.api.Strategy;

/**
 * The selected strategy for jobs that have rows of their own.
 *
 * @param strategy that claims rows
 * @param reason for people
 */
public record StrategyChoice(Strategy strategy, String reason) {}
