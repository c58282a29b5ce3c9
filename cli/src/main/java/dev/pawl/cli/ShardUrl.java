package dev.pawl.cli;

import java.util.ArrayList;
import java.util.List;

/**
 * One of the databases of a {@link dev.pawl.shard.ShardedQueue}, as the command line names it.
 *
 * @param name shown to people
 * @param url as given
 * @param number its position among the shards, from 0
 */
record ShardUrl(String name, String url, int number) {
    /**
     * @param option the option or variable that contains the databases
     * @param given {@code NAME=URL} or {@code NAME}
     * @return the databases in the order given
     */
    static List<ShardUrl> all(String option, List<String> given) {
        List<ShardUrl> all = new ArrayList<>();
        OtherDatabases.read(option, given).forEach((name, url) -> all.add(new ShardUrl(name, url, all.size())));
        return all;
    }

    /**
     * URLs are not accepted, because a URL would be divided at its commas, and a message could then show a part with the password.
     *
     * @param variable the environment variable that contains the names
     * @param names with commas between them; the URL of each is in the environment
     * @return the databases in the order given
     */
    static List<ShardUrl> named(String variable, String names) {
        if (names.contains("=")) {
            throw new UsageException(variable
                    + " is not valid: write only names, with commas between them; their URLs are in PAWL_DB_NAME");
        }
        return all(variable, List.of(names.strip().split("\\s*,\\s*")));
    }

    @Override
    public String toString() {
        return name; // the URL may contain a password
    }
}
