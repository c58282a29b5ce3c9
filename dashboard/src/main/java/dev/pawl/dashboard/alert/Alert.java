package dev.pawl.dashboard.alert;

import java.time.Instant;

/**
 * A problem that has begun or ended. Immutable.
 *
 * @param id the same for the start, the end and each delivery attempt: a receiver may drop an alert whose id it has seen with the same
 *     {@code isOver}
 * @param isOver whether the problem has ended
 * @param rule that detected it, as {@link AlertRule#toString} writes it
 * @param subject the affected queue, kind, kind in a queue, or schedule
 * @param text for people
 * @param since when the problem began, by the clock of the process that detected it
 */
public record Alert(String id, boolean isOver, String rule, String subject, String text, Instant since) {}
