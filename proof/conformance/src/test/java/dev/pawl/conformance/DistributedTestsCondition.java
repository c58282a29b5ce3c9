package dev.pawl.conformance;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** See {@link DistributedTests}. */
final class DistributedTestsCondition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (context.getTestMethod().isEmpty()) {
            return ConditionEvaluationResult.enabled("its tests are distributed, not the class");
        }
        Class<?> here = context.getRequiredTestClass();
        String all = AnnotationSupport.findAnnotation(here, DistributedTests.class)
                .orElseThrow()
                .all();
        if (Draw.isAll(all)) {
            return ConditionEvaluationResult.enabled("all are run");
        }
        return TestDistribution.isQuick(here, context.getRequiredTestMethod(), parameter(context))
                ? ConditionEvaluationResult.enabled("distributed")
                : ConditionEvaluationResult.disabled(Draw.notDrawn(all));
    }

    /** {@return the display name of the class's invocation; empty if the class has no parameter} */
    private static String parameter(ExtensionContext context) {
        ExtensionContext around = context;
        while (around.getTestMethod().isPresent()) {
            around = around.getParent().orElseThrow();
        }
        boolean hasParameter =
                around.getParent().flatMap(ExtensionContext::getTestClass).isPresent();
        return hasParameter ? around.getDisplayName() : "";
    }
}
