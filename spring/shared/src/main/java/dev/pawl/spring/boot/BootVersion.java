package dev.pawl.spring.boot;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringBootVersion;

/** Whether this is the starter for the application's Spring Boot. With another, some of it is silently not there, as its health. */
final class BootVersion {
    private static final Logger LOG = LoggerFactory.getLogger(BootVersion.class);

    private BootVersion() {}

    static void check() {
        String warning = warning(SpringBootVersion.getVersion());
        if (warning != null) {
            LOG.warn(warning);
        }
    }

    /** {@return what is wrong; null if nothing is, or the version cannot be told} */
    static @Nullable String warning(@Nullable String version) {
        if (version == null || version.startsWith(ThisStarter.BOOT)) {
            return null;
        }
        return ThisStarter.NAME + " is for Spring Boot " + ThisStarter.BOOT + "x, and this is Spring Boot " + version
                + ": parts of it, such as the worker's health, are missing. Take " + ThisStarter.OTHER + " instead";
    }
}
