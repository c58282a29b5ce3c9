package dev.pawl.conformance;

import dev.pawl.conformance.Dealt.Family;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.ReflectionSupport;

/** See {@link Dealt}. */
final class DealtCondition implements ExecutionCondition {
    private static final List<Family> FAMILIES = List.of(Family.SQLITE, Family.POSTGRESQL, Family.INNODB);

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (context.getTestMethod().isEmpty()) {
            return ConditionEvaluationResult.enabled("its tests are dealt, not itself");
        }
        Class<?> here = context.getRequiredTestClass();
        Dealt dealt = AnnotationSupport.findAnnotation(here, Dealt.class).orElseThrow();
        if (Draw.isAll(dealt.all())) {
            return ConditionEvaluationResult.enabled("all are run");
        }
        Method test = context.getRequiredTestMethod();
        if (dealt.family() != Family.MIXED
                && test.getDeclaringClass().isAnnotationPresent(Specified.class)
                && FAMILIES.get(Draw.of("family " + name(context)).nextInt(FAMILIES.size())) != dealt.family()) {
            return ConditionEvaluationResult.disabled(Draw.notDrawn(dealt.all()));
        }
        List<Class<?>> classes = Arrays.stream(dealt.among())
                .filter(DealtCondition::isEnabled)
                .filter(each -> isTestOf(test, each))
                .toList();
        return classes.get(Draw.of(name(context)).nextInt(classes.size())) == here
                ? ConditionEvaluationResult.enabled("drawn")
                : ConditionEvaluationResult.disabled(Draw.notDrawn(dealt.all()));
    }

    private static boolean isEnabled(Class<?> of) {
        EnabledIfEnvironmentVariable condition = of.getAnnotation(EnabledIfEnvironmentVariable.class);
        return condition == null || System.getenv(condition.named()) != null;
    }

    private static boolean isTestOf(Method test, Class<?> of) {
        return ReflectionSupport.findMethod(of, test.getName(), test.getParameterTypes())
                .filter(method -> AnnotationSupport.isAnnotated(method, Testable.class))
                .isPresent();
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
