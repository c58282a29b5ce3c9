package dev.pawl.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.helpers.MessageFormatter;

class WrongCredentialsTest {
    private final List<String> lines = new ArrayList<>();

    private Logger log() {
        return (Logger) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Logger.class}, (self, method, arguments) -> {
                    lines.add(method.getName() + " "
                            + MessageFormatter.format((String) arguments[0], arguments[1], arguments[2])
                                    .getMessage());
                    return null;
                });
    }

    @Test
    void wrongCredentialsAreLoggedWithABound() {
        WrongCredentials wrong = new WrongCredentials(log(), "wrong tokens");
        wrong.refused();
        wrong.refused();
        assertThat(lines).containsExactly("warn wrong tokens: 1 since this was last reported");
    }
}
