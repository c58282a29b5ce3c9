package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.Strategy;
import dev.pawl.conformance.DistributedTests;
import dev.pawl.conformance.TestDistribution;
import dev.pawl.conformance.TestedStrategies;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/** Checks what the quick tier covers of the contracts, with its default seed or the one from the environment. */
class QuickTierTest {
    private static final List<Class<? extends Annotation>> DATABASES =
            List.of(OneOfSqlite.class, OneOfMariaDb.class, OneOfPostgres.class, OneOfMySql.class);

    private static List<Class<?>> classes(Class<? extends Annotation> distribution) {
        return Arrays.stream(distribution.getAnnotation(DistributedTests.class).among())
                .filter(QuickTierTest::isEnabled)
                .<Class<?>>map(each -> each)
                .distinct()
                .toList();
    }

    private static boolean isEnabled(Class<?> of) {
        EnabledIfEnvironmentVariable condition = of.getAnnotation(EnabledIfEnvironmentVariable.class);
        return condition == null || System.getenv(condition.named()) != null;
    }

    private static Stream<Method> tests(Class<?> of) {
        return ReflectionSupport.findMethods(
                of, method -> AnnotationSupport.isAnnotated(method, Testable.class), HierarchyTraversalMode.TOP_DOWN)
                .stream();
    }

    private static Stream<Method> quickTests(Class<?> of, String parameter) {
        return tests(of).filter(test -> TestDistribution.isQuick(of, test, parameter));
    }

    private static Set<String> contracts(List<Class<?>> of, Function<Class<?>, Stream<Method>> tests) {
        return of.stream()
                .flatMap(tests)
                .map(Method::getDeclaringClass)
                .filter(Class::isInterface)
                .map(Class::getSimpleName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void eachContractRunsOnEachDatabase() {
        for (Class<? extends Annotation> database : DATABASES) {
            List<Class<?>> classes = classes(database);
            assertThat(contracts(classes, each -> quickTests(each, "")))
                    .as(database.getSimpleName())
                    .isEqualTo(contracts(
                            classes,
                            each -> tests(each)
                                    .filter(test -> TestDistribution.runsOn(
                                            test, database.getAnnotation(DistributedTests.class)))));
        }
    }

    /** Otherwise the quick tier might run such a test only on a database where the test skips itself. */
    @Test
    void aTestThatNeedsACapabilityNamesItsDatabases() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/test/java/dev/pawl/conformance/contract"))) {
            for (Path file : files.filter(each -> each.toString().endsWith("Contract.java"))
                    .toList()) {
                assertThat(Files.readString(file).split("\n    }\n"))
                        .as(file.toString())
                        .noneMatch(method -> method.contains("    @Test")
                                && method.contains("assumeCan(Capability.")
                                && !method.contains("@RunsOn("));
            }
        }
    }

    @Test
    void eachTestOfAContractRunsOnSomeDatabase() {
        List<Class<?>> classes =
                DATABASES.stream().flatMap(each -> classes(each).stream()).toList();
        Set<Method> quick =
                classes.stream().flatMap(each -> quickTests(each, "")).collect(Collectors.toSet());
        assertThat(classes.stream().flatMap(QuickTierTest::tests).filter(test -> !quick.contains(test)))
                .isEmpty();
    }

    @Test
    void eachStrategyRunsOnEachDatabaseAndInEachOfItsContracts() {
        List<Class<?>> classes = classes(OneOfStrategies.class);
        for (Strategy strategy : TestedStrategies.chosen()) {
            Function<Class<?>, Stream<Method>> quick = each -> quickTests(each, strategy.toString());
            assertThat(classes)
                    .as(strategy.toString())
                    .allMatch(each -> quick.apply(each).findAny().isPresent());
            assertThat(contracts(classes, quick))
                    .as(strategy.toString())
                    .isEqualTo(contracts(classes, QuickTierTest::tests));
        }
    }
}
