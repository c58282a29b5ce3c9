package dev.pawl.lab.contender;

import dev.pawl.api.Strategy;
import dev.pawl.lab.study.Design;
import dev.pawl.lab.study.Designs;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All contenders by name. */
public final class Contenders {
    /** Other queues that use the same database. */
    public static final List<String> PEERS = List.of("db-scheduler", "jobrunr", "quartz", "pgque");

    private static final String DB_SCHEDULER = "db-scheduler";

    /** The variants that can be measured for each peer. */
    private static final Map<String, List<Variant>> OF_PEERS =
            Map.of(DB_SCHEDULER, List.of(Variant.TRANSACTION, Variant.DUE));

    private static final List<String> RAW = List.of("raw", "raw-same-table", "raw-lane", "raw-keys", "raw-marker");

    private Contenders() {}

    /** The type of a contender. */
    public enum Family {
        /** A strategy of Pawl. The suffix {@code +no-history} lets it delete finished jobs, and other suffixes add features. */
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
        if (PEERS.contains(system) || isVariantOfPeer(system)) {
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
            throw new IllegalArgumentException("'" + system
                    + "' is not a system that the lab can measure: use a strategy of"
                    + " Pawl (auto, lanes, rows, skip-locked, immediate, optimistic, pessimistic, transactional, with options as in"
                    + " 'pawl set strategy --help', and "
                    + Stream.of(Variant.values()).map(one -> "+" + one.word()).collect(Collectors.joining(", "))
                    + ", +workers=N), a design of the study (DBP-0-0-5 …, DBO-0, DBO-1), "
                    + String.join(", ", RAW) + ", " + String.join(", ", PEERS)
                    + " (db-scheduler also with +transaction, +due, +workers=N)"
                    + ", redis://HOST:PORT or beanstalk://HOST:PORT");
        }
    }

    private static boolean isVariantOfPeer(String system) {
        List<Variant> possible = OF_PEERS.get(Variant.base(system));
        return possible != null && Variant.unknown(system, possible).isEmpty();
    }

    static Strategy strategy(String system) {
        Variant.unknown(system, List.of(Variant.values())).ifPresent(word -> {
            throw new IllegalArgumentException("+" + word + " is not known");
        });
        return Strategy.parse(Variant.base(system));
    }

    /** {@return whether jobs have concurrency keys} */
    static boolean keys(String system) {
        return Variant.KEYS.in(system) || Variant.STRICT_KEYS.in(system);
    }

    /** {@return whether the system is far slower than most, for example because each job needs a commit of its own} */
    public static boolean isSlow(String system) {
        Family family = family(system);
        return family == Family.STUDY
                || family == Family.PEER
                || Variant.TRANSACTION.in(system)
                || system.equals("raw-marker");
    }

    /** {@return why the system cannot be measured on the database; empty if it can} */
    public static Optional<String> refusal(String system, String product) {
        return Optional.ofNullable(
                switch (family(system)) {
                    case PEER ->
                        system.equals("pgque")
                                ? PgQueContender.refusal(product).orElse(null)
                                : product.equals("sqlite") ? system + " is not made for SQLite" : null;
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
                    case "raw-marker" -> new RawMarker(setup);
                    default -> new RawContender(setup);
                };
            case PEER ->
                switch (setup.system()) {
                    case "jobrunr" -> new JobRunrContender(setup);
                    case "quartz" -> new QuartzContender(setup);
                    case "pgque" -> new PgQueContender(setup);
                    default -> new DbSchedulerContender(setup);
                };
            case BROKER ->
                setup.system().startsWith("redis:") ? new RedisContender(setup) : new BeanstalkContender(setup);
        };
    }
}
