package dev.pawl.cli;

import java.util.Map;
import java.util.Set;

/** The variables of the environment that give this program access to databases and other programs. */
final class SecretVariables {
    /** Those with fixed names; databases with a name have one each. */
    private static final Set<String> NAMES = Set.of(
            "PAWL_DB",
            "PAWL_SHARDS",
            "PAWL_REPLICA",
            "PAWL_SECRET",
            "PAWL_HTTP_SECRET",
            "PAWL_TLS_PASSWORD",
            "PAWL_DASHBOARD_TOKEN",
            "PAWL_DASHBOARD_READ_TOKEN",
            "PAWL_DASHBOARD_SECRET");

    private static final String DATABASES = "PAWL_DB_";

    private SecretVariables() {}

    /** Removes all of them from the environment of another program. */
    static void removeFrom(Map<String, String> environment) {
        environment.keySet().removeIf(name -> NAMES.contains(name) || name.startsWith(DATABASES));
    }
}
