package dev.pawl.conformance;

import java.lang.reflect.Method;
import java.util.Objects;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** See {@link Dealt}. A test is its method, with the parameter of its class if that has one. */
final class DealtCondition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (context.getTestMethod().isEmpty()) {
            return ConditionEvaluationResult.enabled("its tests are dealt, not itself");
        }
        Dealt dealt = Objects.requireNonNull(context.getRequiredTestClass().getAnnotation(Dealt.class));
        boolean alone = !dealt.others().isEmpty() && System.getenv(dealt.others()) == null;
        if (alone || Draw.isAll(dealt.all())) {
            return ConditionEvaluationResult.enabled("all are run");
        }
        return Draw.of(name(context)).nextInt(dealt.of()) == dealt.number()
                ? ConditionEvaluationResult.enabled("drawn")
                : ConditionEvaluationResult.disabled(Draw.notDrawn(dealt.all()));
    }

    private static String name(ExtensionContext context) {
        Method test = context.getRequiredTestMethod();
        String name = test.getDeclaringClass().getName() + "." + test.getName();
        ExtensionContext around = context;
        while (around.getTestMethod().isPresent()) {
            around = around.getParent().orElseThrow();
        }
        boolean hasParameter =
                around.getParent().flatMap(ExtensionContext::getTestClass).isPresent();
        return hasParameter ? name + " " + around.getDisplayName() : name;
    }
}
