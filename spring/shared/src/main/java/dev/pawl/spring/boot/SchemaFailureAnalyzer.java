package dev.pawl.spring.boot;

import dev.pawl.api.SchemaException;
import dev.pawl.spring.ConfigurationException;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/** Reports tables that are missing, and databases that are not supported, with the properties that help. */
final class SchemaFailureAnalyzer extends AbstractFailureAnalyzer<SchemaException> {
    private static final Pattern PRODUCT = Pattern.compile("jdbc:([a-z]+):.*");
    private static final Set<String> PRODUCTS = Set.of("postgresql", "mysql", "mariadb", "sqlite");

    private final Environment environment;

    SchemaFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected FailureAnalysis analyze(Throwable root, SchemaException cause) {
        ConfigurationException parts = ConfigurationException.of(cause);
        return switch (cause.reason()) {
            case NOT_MIGRATED ->
                new FailureAnalysis(Sentence.of(parts.problem() + ", and pawl.migrate is false"), migrate(), cause);
            case UNSUPPORTED_DATABASE ->
                new FailureAnalysis(
                        Sentence.of(String.valueOf(cause.getMessage())),
                        "Set spring.datasource.url to a supported database. If the application needs this one, too, declare"
                                + " a DataSource for the job queue with @PawlDataSource, or set pawl.datasource to its"
                                + " name.",
                        cause);
            case OTHER -> new FailureAnalysis(Sentence.of(parts.problem()), Sentence.of(parts.remedy()), cause);
        };
    }

    private String migrate() {
        return """
                Create or update the tables in one of these ways:
                    - set pawl.migrate=true (the default): the application does it when it starts
                    - add the SQL to the migrations of your Flyway, which run first; replace 42 by their next version:
                      %1$s --print %2$s > src/main/resources/db/migration/V42__pawl_1.sql
                    - do it now: %1$s"""
                .formatted("pawl migrate" + options(), product());
    }

    private String options() {
        String prefix = environment.getProperty("pawl.table-prefix", "pawl_");
        String schema = environment.getProperty("pawl.schema", "");
        return (prefix.equals("pawl_") ? "" : " --table-prefix " + prefix) + (schema.isEmpty() ? "" : " --schema " + schema);
    }

    private String product() {
        Matcher url = PRODUCT.matcher(
                environment.getProperty("spring.datasource.url", "").toLowerCase(Locale.ROOT));
        return url.matches() && PRODUCTS.contains(url.group(1)) ? url.group(1) : "postgresql|mysql|mariadb|sqlite";
    }
}
