package dev.pawl.dashboard.alert;

import java.time.Instant;

/**
 * Something that is wrong, or that is over. Immutable.
 *
 * @param id the same for what has begun and what is over, and for each try to tell it: who has seen it with the same {@code isOver} may
 *     drop it
 * @param isOver whether it is over
 * @param rule by which it was found, as {@link AlertRule#toString} writes it
 * @param subject what it is about: a queue, a kind in a queue, a job or a schedule
 * @param text for people
 * @param since when it counts as wrong, by the clock of the process that saw it
 */
public record Alert(String id, boolean isOver, String rule, String subject, String text, Instant since) {}
