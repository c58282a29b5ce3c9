package dev.pawl.servers;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The tier of a build. The quick tier is the default, and runs the same tests in each build. {@code PAWL_TESTS=all} in the environment,
 * which {@code mvn -Pall verify} sets, runs all tests. If the variable of a group of tests is {@code all}, all tests of that group run.
 */
public final class Tier {
    private static final String VARIABLE = "PAWL_TESTS";
    private static final String ALL = "all";
    private static final Tier OF_THIS_BUILD = new Tier(System::getenv);

    private final Function<String, @Nullable String> environment;

    Tier(Function<String, @Nullable String> environment) {
        this.environment = environment;
    }

    /** {@return the tier that the environment selects} */
    public static Tier ofThisBuild() {
        return OF_THIS_BUILD;
    }

    /** {@return whether all tests run} */
    public boolean isAll() {
        return ALL.equals(environment.apply(VARIABLE));
    }

    /**
     * {@return whether all tests of a group run}
     *
     * @param group the environment variable of the group, such as {@code PAWL_KILLS}
     */
    public boolean isAll(String group) {
        return isAll() || ALL.equals(environment.apply(group));
    }

    /**
     * {@return the size of a generated test: the value of the group's variable if it is set, otherwise that of the tier}
     *
     * @param group the environment variable, such as {@code PAWL_PROGRAMS}
     * @throws NumberFormatException if the variable is not a number
     */
    public long size(String group, long quick, long all) {
        String given = environment.apply(group);
        if (given != null) {
            return Long.parseLong(given);
        }
        return isAll() ? all : quick;
    }

    /** {@return why the quick tier skips a test, and how to run it} */
    public static String notInQuick(String group) {
        return "not in the quick tier: " + group + "=all or mvn -Pall runs it";
    }

    /** {@return whether the tier, or the variable of a generated test, gives the test another size than in the quick tier} */
    public boolean isSet(String group) {
        return isAll() || environment.apply(group) != null;
    }
}
