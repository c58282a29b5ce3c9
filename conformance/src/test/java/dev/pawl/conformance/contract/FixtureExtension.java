package dev.pawl.conformance.contract;

import java.sql.SQLException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.pollinterval.IterativePollInterval;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/**
 * Gives a test that asks for a {@link Fixture} one of its own, and closes it after the test; the database is that of the
 * class and goes with it. A failure says on which database, with which strategy and in which contract, for reports that
 * tell classes and numbers only.
 */
final class FixtureExtension implements ParameterResolver, TestExecutionExceptionHandler {
    private static final Duration SELDOM = Duration.ofMillis(60);

    static {
        // By default a tenth of a second is waited before the first look, too.
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        // Soon at first, seldom when it takes long: each look is a query, and most of them wait for a lease to end.
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

    /** The class itself, not one of its invocations with a parameter. */
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
        DatabaseTest instance = (DatabaseTest) test.getRequiredTestInstance();
        String where = instance.server().product() + ", " + instance.strategy() + ", " + test.getDisplayName();
        throw new AssertionError(where + ": " + failure.getMessage(), failure);
    }
}
