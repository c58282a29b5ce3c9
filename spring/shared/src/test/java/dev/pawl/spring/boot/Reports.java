package dev.pawl.spring.boot;

import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalysisReporter;

/** Keeps what Spring Boot reports of applications that this thread starts. */
final class Reports implements FailureAnalysisReporter {
    private static final ThreadLocal<List<String>> TEXTS = ThreadLocal.withInitial(ArrayList::new);

    @Override
    public void report(FailureAnalysis analysis) {
        TEXTS.get()
                .add(("Description: " + analysis.getDescription() + " Action: " + analysis.getAction())
                        .replaceAll("\\s+", " "));
    }

    /** {@return the reports since the last call, each in one line} */
    static List<String> taken() {
        List<String> taken = List.copyOf(TEXTS.get());
        TEXTS.remove();
        return taken;
    }
}
