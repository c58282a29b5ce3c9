package dev.pawl.conformance.contract;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * The statements that a test expects, because it acts before them or rewrites them. A regular expression finds a part of each. If it
 * matches no statement that was sent, for example because a table was renamed, the test has proved nothing, and fails. After each test that
 * has passed, {@link FixtureExtension} checks the expected statements of the {@link Fixture}.
 */
final class ExpectedStatements {
    /** The insert of a range, with which jobs of a lane are claimed. */
    static final String NEW_RANGE = "INSERT INTO \\w*pawl_lane_range";

    private static final int LISTED = 100;

    private final Queue<Expected> all = new ConcurrentLinkedQueue<>();

    /** An expected statement. It remembers whether such a statement was sent, and which other statements were sent. */
    static final class Expected {
        private final String description;
        private final Set<String> others = Collections.synchronizedSet(new LinkedHashSet<>());
        private volatile boolean isMet;

        private Expected(String description) {
            this.description = description;
        }

        /** {@return whether this statement matches} */
        boolean isMet(String statement, boolean matches) {
            if (matches) {
                isMet = true;
            } else if (others.size() < LISTED) {
                others.add(statement);
            }
            return matches;
        }
    }

    Expected expect(String description) {
        Expected expected = new Expected(description);
        all.add(expected);
        return expected;
    }

    static Pattern pattern(String regex) {
        return Pattern.compile(regex, Pattern.DOTALL);
    }

    /** {@return a hook that acts before each statement that matches} Statements are matched without the schema of their tables. */
    TamperedDataSource.Tampering at(String regex, TamperedDataSource.Tampering action) {
        Pattern pattern = pattern(regex);
        Expected expected = expect(regex);
        return statement -> {
            if (expected.isMet(statement, pattern.matcher(statement).find())) {
                action.before(statement);
            }
        };
    }

    /** {@return an operator that replaces this part in each statement that has it} */
    UnaryOperator<String> rewriting(String part, String replacement) {
        return rewriting("", part, replacement);
    }

    /** {@return an operator that replaces this part in each statement that matches and has it} */
    UnaryOperator<String> rewriting(String regex, String part, String replacement) {
        Pattern pattern = pattern(regex);
        Pattern replaced = pattern(part);
        Expected expected = expect(part);
        return sql -> {
            boolean matches =
                    pattern.matcher(sql).find() && replaced.matcher(sql).find();
            return expected.isMet(sql, matches) ? replaced.matcher(sql).replaceAll(replacement) : sql;
        };
    }

    /** Fails if an expected statement was not sent. */
    void requireAll() {
        for (Expected each : all) {
            if (!each.isMet) {
                throw noneOf(each.others, each.description);
            }
        }
    }

    /** {@return the failure of a test that has found no statement} */
    static AssertionError noneOf(Collection<String> sent, String regex) {
        return new AssertionError("\"" + regex + "\" matches none of the statements:\n" + String.join("\n", sent));
    }
}
