package dev.pawl.conformance;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.DisplayNameGenerator;

/** Test names as sentences, with the contract of the test: "Fence: a stale release changes nothing". */
public final class PlainNames extends DisplayNameGenerator.Standard {
    private static final String CONTRACT = "Contract";

    @Override
    public String generateDisplayNameForMethod(List<Class<?>> enclosing, Class<?> testClass, Method test) {
        String declared = test.getDeclaringClass().getSimpleName();
        String sentence = words(test.getName());
        return declared.endsWith(CONTRACT)
                ? declared.substring(0, declared.length() - CONTRACT.length()) + ": " + sentence
                : sentence;
    }

    private static String words(String camelCase) {
        return camelCase
                .replaceAll("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z])", " ")
                .toLowerCase(Locale.ROOT);
    }
}
