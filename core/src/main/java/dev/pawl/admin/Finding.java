package dev.pawl.admin;

/**
 * A finding of {@link Maintenance#diagnose}.
 *
 * @param level its severity
 * @param topic its subject
 * @param message the finding and, if something should be done, the remedy
 */
public record Finding(Level level, String topic, String message) {
    /** The severity of a finding. */
    public enum Level {
        /** No problem. */
        OK,
        /** Works, but could be better. */
        ADVICE,
        /** Can lose jobs or stall the queue. */
        WARNING
    }
}
