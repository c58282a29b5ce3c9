package dev.pawl.spring.boot;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringBootVersion;

/**
 * Checks that this starter matches the application's Spring Boot. With another version, some features, such as health,
 * are silently missing.
 */
final class BootVersion {
    private static final Logger LOG = LoggerFactory.getLogger(BootVersion.class);

    private BootVersion() {}

    static void check() {
        String warning = warning(SpringBootVersion.getVersion());
        if (warning != null) {
            LOG.warn(warning);
        }
    }

    /** {@return a warning; null if the versions match, or the version is unknown} */
    static @Nullable String warning(@Nullable String version) {
        if (version == null || version.startsWith(ThisStarter.BOOT)) {
            return null;
        }
        return ThisStarter.NAME + " is for Spring Boot " + ThisStarter.BOOT + "x, and this is Spring Boot " + version
                + ": parts of it, such as the worker's health, are missing. Take " + ThisStarter.OTHER + " instead";
    }
}
