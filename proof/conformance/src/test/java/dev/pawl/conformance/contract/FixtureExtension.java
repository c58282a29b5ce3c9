package dev.pawl.conformance.contract;

import java.sql.SQLException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.pollinterval.IterativePollInterval;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/**
 * Passes a new {@link Fixture} to each test that declares one, and closes it after the test; the database belongs to the class. A test
 * fails unless its {@link ExpectedStatements} were sent. A failure names the database, the strategy and the test, because some reports show
 * only classes and numbers.
 */
final class FixtureExtension implements ParameterResolver, TestExecutionExceptionHandler, AfterTestExecutionCallback {
    private static final Duration SELDOM = Duration.ofMillis(60);

    static {
        // By default Awaitility also waits 0.1 s before the first check.
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        // Checks are frequent at first and rare later, because each is a query, and most tests wait for a lease to
        // expire.
        Awaitility.setDefaultPollInterval(IterativePollInterval.iterative(
                last -> last.compareTo(SELDOM) < 0 ? last.multipliedBy(5).dividedBy(4) : SELDOM, Duration.ofMillis(5)));
        Awaitility.setDefaultTimeout(Fixture.SOON);
    }

    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(Fixture.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.getParameter().getType() == Fixture.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
        return test.getStore(NAMESPACE).computeIfAbsent(Fixture.class, key -> create(test), Fixture.class);
    }

    private static Fixture create(ExtensionContext test) {
        DatabaseTest instance = (DatabaseTest) test.getRequiredTestInstance();
        Schemas schemas = outermostClass(test)
                .getStore(NAMESPACE)
                .computeIfAbsent(
                        Schemas.class, key -> new Schemas(instance.server(), instance.isAway()), Schemas.class);
        try {
            return instance.newFixture(schemas);
        } catch (SQLException e) {
            throw new ParameterResolutionException("cannot create a queue in the database of the class", e);
        }
    }

    /** {@return the context of the class itself, not of one of its parameterized invocations} */
    private static ExtensionContext outermostClass(ExtensionContext test) {
        ExtensionContext found = test;
        for (ExtensionContext context = test;
                context.getTestClass().isPresent();
                context = context.getParent().orElseThrow()) {
            found = context;
        }
        return found;
    }

    @Override
    public void handleTestExecutionException(ExtensionContext test, Throwable failure) throws Throwable {
        if (failure instanceof TestAbortedException) {
            throw failure;
        }
        throw in(test, failure);
    }

    @Override
    public void afterTestExecution(ExtensionContext test) {
        Fixture fixture = test.getStore(NAMESPACE).get(Fixture.class, Fixture.class);
        if (fixture != null && test.getExecutionException().isEmpty()) {
            try {
                fixture.statements.requireAll();
            } catch (AssertionError e) {
                throw in(test, e);
            }
        }
    }

    private static AssertionError in(ExtensionContext test, Throwable failure) {
        DatabaseTest instance = (DatabaseTest) test.getRequiredTestInstance();
        String where = instance.server().product() + ", " + instance.strategy() + ", " + test.getDisplayName();
        return new AssertionError(where + ": " + failure.getMessage(), failure);
    }
}
