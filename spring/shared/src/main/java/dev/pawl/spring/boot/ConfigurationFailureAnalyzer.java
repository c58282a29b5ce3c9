package dev.pawl.spring.boot;

import dev.pawl.spring.ConfigurationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports beans and properties that do not fit: no or several DataSources, handlers that cannot be called, contradicting properties. */
final class ConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<ConfigurationException> {
    @Override
    protected FailureAnalysis analyze(Throwable root, ConfigurationException cause) {
        return new FailureAnalysis(Sentence.of(cause.problem()), Sentence.of(cause.remedy()), cause);
    }
}
