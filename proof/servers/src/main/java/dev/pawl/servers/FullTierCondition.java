package dev.pawl.servers;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** See {@link FullTier}. */
final class FullTierCondition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getElement(), FullTier.class)
                .map(FullTier::group)
                .filter(group -> !Tier.ofThisBuild().isAll(group))
                .map(group -> ConditionEvaluationResult.disabled(Tier.notInQuick(group)))
                .orElseGet(() -> ConditionEvaluationResult.enabled("runs in this tier"));
    }
}
