package dev.pawl.cli;

import java.util.Map;
import java.util.Set;

/** The environment variables that give this program access to databases and other programs. */
final class SecretVariables {
    /** The variables with fixed names. Each named database has another one, {@code PAWL_DB_NAME}. */
    private static final Set<String> NAMES = Set.of(
            "PAWL_DB",
            "PAWL_SHARDS",
            "PAWL_REPLICA",
            "PAWL_SECRET",
            "PAWL_HTTP_SECRET",
            "PAWL_TLS_PASSWORD",
            "PAWL_DASHBOARD_TOKEN",
            "PAWL_DASHBOARD_READ_TOKEN",
            "PAWL_DASHBOARD_SECRET",
            "PAWL_WEBHOOK_SECRET");

    private static final String DATABASES = "PAWL_DB_";

    private SecretVariables() {}

    /** Removes these variables from the environment of another program. */
    static void removeFrom(Map<String, String> environment) {
        environment.keySet().removeIf(name -> NAMES.contains(name) || name.startsWith(DATABASES));
    }
}
