package dev.pawl.lab.contender;

import dev.pawl.api.Strategy;
import dev.pawl.lab.study.Design;
import dev.pawl.lab.study.Designs;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** All contenders by name. */
public final class Contenders {
    /** Other queues that use the same database. */
    public static final List<String> PEERS = List.of("db-scheduler", "jobrunr", "quartz");

    private static final String DB_SCHEDULER = "db-scheduler";

    private static final String NO_HISTORY = "+no-history";
    private static final List<String> RAW = List.of("raw", "raw-same-table", "raw-lane", "raw-keys");
    private static final String LIMIT = "+limit";
    private static final String KIND_LIMIT = "+kind-limit";
    private static final String KEYS = "+keys";
    private static final String STRICT_KEYS = "+strict-keys";
    private static final String BATCH = "+batch";
    private static final String CHUNKS = "+chunks";
    private static final Pattern WORKERS = Pattern.compile("\\+workers=(\\d{1,3})");

    private Contenders() {}

    /** The type of a contender. */
    public enum Family {
        /** A strategy of Pawl; {@code +no-history} after it deletes finished jobs, other suffixes add features. */
        PAWL,
        /** A design of the study. */
        STUDY,
        /** Handwritten statements. */
        RAW,
        /** Another library over the same database. */
        PEER,
        /** A separate server, given by its URL: {@code redis://host:port}, {@code beanstalk://host:port}. */
        BROKER
    }

    /**
     * @param system a name
     * @return its type
     * @throws IllegalArgumentException if it is unknown; the message lists all names
     */
    public static Family family(String system) {
        if (RAW.contains(system)) {
            return Family.RAW;
        }
        if (PEERS.contains(system) || isSpreadPeer(system)) {
            return Family.PEER;
        }
        if (system.startsWith("redis:") || system.startsWith("beanstalk:")) {
            if (system.contains("@")) {
                throw new IllegalArgumentException("a password in the name of a system would be kept in files: set"
                        + " PAWL_LAB_REDIS_PASSWORD, and write redis://HOST:PORT");
            }
            return Family.BROKER;
        }
        if (system.toUpperCase(Locale.ROOT).startsWith("DB")) {
            Design unused = Designs.named(system, 1);
            return Family.STUDY;
        }
        try {
            Strategy unused = strategy(system);
            return Family.PAWL;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + system + "' is nothing that the lab can measure: use a strategy of"
                    + " Pawl (auto, lanes, rows, skip-locked, immediate, optimistic, pessimistic, transactional, with options as in"
                    + " 'pawl set strategy --help', and +no-history, +limit, +kind-limit, +keys, +strict-keys, +batch, +chunks, +workers=N), a design of the study (DBP-0-0-5 …, DBO-0, DBO-1), raw,"
                    + " raw-same-table, raw-lane, raw-keys, " + String.join(", ", PEERS) + ", db-scheduler+workers=N"
                    + ", redis://HOST:PORT or beanstalk://HOST:PORT");
        }
    }

    private static boolean isSpreadPeer(String system) {
        return system.startsWith(DB_SCHEDULER)
                && WORKERS.matcher(system.substring(DB_SCHEDULER.length())).matches();
    }

    /** {@return over how many workers the handlers are spread, each with a pool of its own, as in as many programs} */
    static int workers(String system) {
        Matcher workers = WORKERS.matcher(system);
        return workers.find() ? Math.max(1, Integer.parseInt(workers.group(1))) : 1;
    }

    static Strategy strategy(String system) {
        String strategy = WORKERS.matcher(system).replaceFirst("");
        for (String ending : List.of(NO_HISTORY, LIMIT, KIND_LIMIT, KEYS, STRICT_KEYS, BATCH, CHUNKS)) {
            strategy = strategy.replace(ending, "");
        }
        return Strategy.parse(strategy);
    }

    static boolean history(String system) {
        return !system.contains(NO_HISTORY);
    }

    /** {@return whether the queue has a limit that equals the number of handlers} */
    static boolean limit(String system) {
        return system.contains(LIMIT);
    }

    /** {@return whether the kind has such a limit} */
    static boolean kindLimit(String system) {
        return system.contains(KIND_LIMIT);
    }

    /** {@return whether jobs have concurrency keys} */
    static boolean keys(String system) {
        return system.contains(KEYS) || strictKeys(system);
    }

    /** {@return whether there are ten thousand concurrency keys with one job at a time each; otherwise a hundred with ten at once} */
    static boolean strictKeys(String system) {
        return system.contains(STRICT_KEYS);
    }

    /** {@return whether all jobs are members of one batch} */
    static boolean batch(String system) {
        return system.contains(BATCH);
    }

    /** {@return whether one call handles up to a hundred jobs} */
    static boolean chunks(String system) {
        return system.contains(CHUNKS);
    }

    /** {@return why this cannot be measured on that database; empty if it can} */
    public static Optional<String> refusal(String system, String product) {
        return Optional.ofNullable(
                switch (family(system)) {
                    case PEER -> product.equals("sqlite") ? system + " is not made for SQLite" : null;
                    case STUDY ->
                        product.equals("sqlite") && Designs.named(system, 1).skipLocked()
                                ? "SQLite has no SKIP LOCKED"
                                : null;
                    case PAWL -> {
                        Strategy strategy = strategy(system);
                        if (product.equals("sqlite") && strategy instanceof Strategy.SkipLocked) {
                            yield "SQLite has no SKIP LOCKED";
                        }
                        yield !product.equals("sqlite") && strategy instanceof Strategy.Immediate
                                ? "immediate is for SQLite"
                                : null;
                    }
                    case RAW, BROKER -> null;
                });
    }

    /**
     * {@return the contender, ready and empty}
     *
     * @param setup its configuration
     * @throws Exception if it cannot be created
     */
    public static Contender open(Setup setup) throws Exception {
        return switch (family(setup.system())) {
            case PAWL -> setup.processes() > 0 ? new PawlProcesses(setup) : new PawlContender(setup);
            case STUDY -> new StudyContender(setup);
            case RAW ->
                switch (setup.system()) {
                    case "raw-lane" -> new RawLane(setup);
                    case "raw-keys" -> new RawKeys(setup);
                    default -> new RawContender(setup);
                };
            case PEER ->
                switch (setup.system()) {
                    case "jobrunr" -> new JobRunrContender(setup);
                    case "quartz" -> new QuartzContender(setup);
                    default -> new DbSchedulerContender(setup);
                };
            case BROKER ->
                setup.system().startsWith("redis:") ? new RedisContender(setup) : new BeanstalkContender(setup);
        };
    }
}
