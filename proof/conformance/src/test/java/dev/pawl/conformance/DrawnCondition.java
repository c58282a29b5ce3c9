package dev.pawl.conformance;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** See {@link Drawn}. The group of a method is its class; the group of a class is its environment variable. */
final class DrawnCondition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return context.getElement()
                .map(element -> element.getAnnotation(Drawn.class))
                .map(drawn -> evaluate(
                        drawn,
                        context.getTestMethod().isPresent()
                                ? context.getRequiredTestClass().getName()
                                : ""))
                .orElseGet(() -> ConditionEvaluationResult.enabled("not subject to a draw"));
    }

    private static ConditionEvaluationResult evaluate(Drawn drawn, String group) {
        if (Draw.isAll(drawn.all())) {
            return ConditionEvaluationResult.enabled(drawn.all() + "=all");
        }
        List<Integer> numbers =
                new ArrayList<>(IntStream.range(0, drawn.of()).boxed().toList());
        Collections.shuffle(numbers, Draw.of(group + " " + drawn.all()));
        return numbers.subList(0, drawn.run()).contains(drawn.number())
                ? ConditionEvaluationResult.enabled("drawn")
                : ConditionEvaluationResult.disabled(Draw.notDrawn(drawn.all()));
    }
}
