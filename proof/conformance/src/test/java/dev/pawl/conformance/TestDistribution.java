package dev.pawl.conformance;

import dev.pawl.conformance.contract.WhiteBox;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * Distributes tests over classes, in turn rather than at random, so that each class gets some tests of each contract. A test of a contract
 * runs on one database, or on {@value #WHITE_BOXES} if the contract is a {@link WhiteBox} of which the specification checks no promise. If
 * a contract has few tests, they run on more databases, so that the contract runs on each database.
 */
public final class TestDistribution {
    private static final int WHITE_BOXES = 2;

    /** A cache, because searching the many contracts of a class takes longer than most tests. */
    private static final Map<Class<?>, Set<String>> TESTS = new ConcurrentHashMap<>();

    private static final Map<Class<?>, List<Method>> SIBLINGS = new ConcurrentHashMap<>();

    private TestDistribution() {}

    /**
     * {@return whether the quick tier runs a test in a class}
     *
     * @param here a class with {@link DistributedTests}
     * @param parameter of the class, such as a strategy; empty if it has none
     */
    public static boolean isQuick(Class<?> here, Method test, String parameter) {
        DistributedTests distribution =
                AnnotationSupport.findAnnotation(here, DistributedTests.class).orElseThrow();
        List<Method> siblings = siblings(test);
        int index = siblings.indexOf(test);
        return distribution.databases().length > 0
                ? isDistributed(here, test, databases(distribution, test), index)
                : isDistributed(here, test, distribution, index + Math.floorMod(parameter.hashCode(), siblings.size()));
    }

    private static boolean isDistributed(Class<?> here, Method test, List<List<Class<?>>> databases, int index) {
        int all = databases.size();
        int tests = (int) Math.max(
                1, siblings(test).stream().filter(each -> !isRestricted(each)).count());
        Class<?> contract = test.getDeclaringClass();
        int usual = contract.isAnnotationPresent(WhiteBox.class) && !contract.isAnnotationPresent(Specified.class)
                ? WHITE_BOXES
                : 1;
        int most = Math.min(all, Math.max(usual, (all + tests - 1) / tests));
        int turn = index * most;
        return IntStream.range(turn, turn + all)
                .mapToObj(next -> databases.get(next % all))
                .filter(classes -> !classes.isEmpty())
                .limit(most)
                .anyMatch(classes -> classes.get(turn / all % classes.size()) == here);
    }

    private static boolean isRestricted(Method test) {
        return test.isAnnotationPresent(RunsOn.class);
    }

    private static boolean isDistributed(Class<?> here, Method test, DistributedTests distribution, int index) {
        List<Class<?>> classes = withTest(distribution, test);
        return index % distribution.oneOf() == 0
                && !classes.isEmpty()
                && classes.get(index / distribution.oneOf() % classes.size()) == here;
    }

    /** {@return the classes of each database that have the test; an empty list for a database where the test does not run} */
    private static List<List<Class<?>>> databases(DistributedTests distribution, Method test) {
        List<List<Class<?>>> databases = new ArrayList<>();
        for (Class<? extends Annotation> each : distribution.databases()) {
            DistributedTests database = each.getAnnotation(DistributedTests.class);
            if (Arrays.stream(database.among()).anyMatch(TestDistribution::isEnabled)) {
                databases.add(runsOn(test, database) ? withTest(database, test) : List.of());
            }
        }
        return databases;
    }

    /** {@return whether the test runs on the database, instead of skipping itself} */
    public static boolean runsOn(Method test, DistributedTests database) {
        RunsOn some = test.getAnnotation(RunsOn.class);
        return some == null || List.of(some.value()).containsAll(List.of(database.product()));
    }

    private static List<Class<?>> withTest(DistributedTests distribution, Method test) {
        return Arrays.stream(distribution.among())
                .filter(TestDistribution::isEnabled)
                .filter(each -> has(each, test))
                .<Class<?>>map(each -> each)
                .toList();
    }

    private static boolean isEnabled(Class<?> of) {
        EnabledIfEnvironmentVariable condition = of.getAnnotation(EnabledIfEnvironmentVariable.class);
        return condition == null || System.getenv(condition.named()) != null;
    }

    private static boolean has(Class<?> of, Method test) {
        return TESTS.computeIfAbsent(of, TestDistribution::signatures).contains(signature(test));
    }

    private static Set<String> signatures(Class<?> of) {
        return ReflectionSupport.findMethods(of, TestDistribution::isTest, HierarchyTraversalMode.TOP_DOWN).stream()
                .map(TestDistribution::signature)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static String signature(Method method) {
        return method.getName() + Arrays.toString(method.getParameterTypes());
    }

    private static boolean isTest(Method method) {
        return AnnotationSupport.isAnnotated(method, Testable.class);
    }

    /** {@return all tests that are declared in the same class, in an order that the seed decides} */
    private static List<Method> siblings(Method test) {
        return SIBLINGS.computeIfAbsent(test.getDeclaringClass(), TestDistribution::shuffledTests);
    }

    private static List<Method> shuffledTests(Class<?> of) {
        List<Method> tests = new ArrayList<>(Arrays.stream(of.getDeclaredMethods())
                .filter(TestDistribution::isTest)
                .sorted(Comparator.comparing(Method::toString))
                .toList());
        Collections.shuffle(tests, Draw.of(of.getName()));
        // unrestricted tests first, so that each database gets some of them
        tests.sort(Comparator.comparing(TestDistribution::isRestricted));
        return List.copyOf(tests);
    }
}
