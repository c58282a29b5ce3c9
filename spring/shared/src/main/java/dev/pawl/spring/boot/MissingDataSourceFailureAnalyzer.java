package dev.pawl.spring.boot;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Reports a DataSource without a URL. Replaces Spring Boot's own report, which recommends an embedded database that Pawl does not support.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class MissingDataSourceFailureAnalyzer implements FailureAnalyzer {
    /** The end of the class name, because the class is not visible and its package depends on the version of Spring Boot. */
    private static final String EXCEPTION = ".DataSourceProperties$DataSourceBeanCreationException";

    private final Environment environment;

    MissingDataSourceFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        if (!environment.getProperty("pawl.enabled", Boolean.class, true)
                || environment.containsProperty("spring.datasource.url")) {
            return null;
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause.getClass().getName().endsWith(EXCEPTION)) {
                return analysis(cause);
            }
        }
        return null;
    }

    private FailureAnalysis analysis(Throwable cause) {
        String[] profiles = environment.getActiveProfiles();
        return new FailureAnalysis(
                "The job queue needs a database, and spring.datasource.url is not set.",
                "Set spring.datasource.url to a database of PostgreSQL, MySQL, MariaDB or SQLite, such as"
                        + " jdbc:postgresql://localhost:5432/app (with spring.datasource.username and"
                        + " spring.datasource.password) or jdbc:sqlite:app.db, and add its driver. If the property is in the"
                        + " file of a profile, activate the profile (active: "
                        + (profiles.length == 0 ? "none" : String.join(", ", profiles))
                        + "). To start without a job queue, set pawl.enabled=false.",
                cause);
    }
}
