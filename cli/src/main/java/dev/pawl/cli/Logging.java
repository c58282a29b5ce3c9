package dev.pawl.cli;

/** The program's log: warnings to standard error, everything with --verbose. Configured before the first logger exists. */
final class Logging {
    private Logging() {}

    /** Only long-running commands have timestamps, because loading their formats takes as long as a short command. */
    static void configure(boolean verbose, boolean timed) {
        setDefault("org.slf4j.simpleLogger.defaultLogLevel", verbose ? "debug" : "warn");
        setDefault("org.slf4j.simpleLogger.log.com.zaxxer.hikari", verbose ? "info" : "error");
        setDefault("org.slf4j.simpleLogger.log.dev.pawl.dashboard.audit", "info");
        setDefault("org.slf4j.simpleLogger.log.dev.pawl.internal.engine.Fetcher", verbose ? "debug" : "info");
        setDefault("org.slf4j.simpleLogger.showDateTime", Boolean.toString(timed));
        if (timed) {
            setDefault("org.slf4j.simpleLogger.dateTimeFormat", "HH:mm:ss.SSS");
        }
        setDefault("org.slf4j.simpleLogger.showThreadName", "false");
        setDefault("org.slf4j.simpleLogger.showShortLogName", "true");
    }

    /** Takes effect if the logger does not exist yet. */
    static void silence(String logger) {
        setDefault("org.slf4j.simpleLogger.log." + logger, "off");
    }

    private static void setDefault(String name, String value) {
        if (System.getProperty(name) == null) {
            System.setProperty(name, value);
        }
    }
}
