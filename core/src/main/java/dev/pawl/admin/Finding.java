package dev.pawl.admin;

/**
 * Something that {@link JobAdmin#diagnose} found.
 *
 * @param level how serious
 * @param topic what it is about
 * @param message what was found and, if something should be done, what
 */
public record Finding(Level level, String topic, String message) {
    /** How serious a finding is. */
    public enum Level {
        /** As it should be. */
        OK,
        /** Works, but could be better. */
        ADVICE,
        /** Can lose jobs or stall the queue. */
        WARNING
    }
}
