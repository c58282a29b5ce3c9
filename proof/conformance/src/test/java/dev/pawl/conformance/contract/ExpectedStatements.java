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
 * The statements that a test acts at or rewrites, each by a regular expression that finds a part of it. If none of those that were sent
 * matches, for example because a table was renamed, the test has proved nothing, and fails. {@link FixtureExtension} checks those of the
 * {@link Fixture} after each test that has passed.
 */
final class ExpectedStatements {
    /** The insert of a range, with which jobs of a lane are claimed. */
    static final String NEW_RANGE = "INSERT INTO \\w*pawl_lane_range";

    private static final int LISTED = 100;

    private final Queue<Expected> all = new ConcurrentLinkedQueue<>();

    /** It describes what is expected, and remembers whether that came, and what else. */
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

    /** {@return a hook that acts before each statement that matches} Tables have no schema. */
    TamperedDataSource.Tampering at(String regex, TamperedDataSource.Tampering action) {
        Pattern pattern = pattern(regex);
        Expected expected = expect(regex);
        return statement -> {
            if (expected.isMet(statement, pattern.matcher(statement).find())) {
                action.before(statement);
            }
        };
    }

    /** {@return a change of each statement that has this part} */
    UnaryOperator<String> rewriting(String part, String replacement) {
        return rewriting("", part, replacement);
    }

    /** {@return a change of each statement that matches and has this part} */
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

    /** Fails if one of them was not sent. */
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
