package dev.pawl.conformance.contract;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * A pool that explains each prepared statement just before it runs, with the same values bound. So the plans are those of the library's
 * actual statements.
 */
final class ExplainingDataSource {
    /**
     * @param sql the statement
     * @param lines the server's plan
     */
    record Plan(String sql, List<String> lines) {
        /** {@return a regular expression for a table in the plan, by its name or by an alias from the statement} */
        String names(String table) {
            return Pattern.compile(table + "(?: AS)? ([a-z]\\w*)\\b")
                    .matcher(sql)
                    .results()
                    .map(found -> "|" + found.group(1))
                    .collect(Collectors.joining("", "(\\w*" + table, ")\\b"));
        }

        @Override
        public String toString() {
            return sql + "\n" + String.join("\n", lines);
        }
    }

    private final DataSource real;
    private final String explain;
    private final List<Plan> plans = Collections.synchronizedList(new ArrayList<>());

    ExplainingDataSource(DataSource real, String explain) {
        this.real = real;
        this.explain = explain;
    }

    /** Forgets all plans so far. */
    void clear() {
        plans.clear();
    }

    /** {@return the plans since the last call, at least one} */
    List<Plan> takePlans() {
        return takePlans("");
    }

    /** {@return the plans since the last call whose statements match} Fails if there is none, or if all are empty. */
    List<Plan> takePlans(String regex) {
        List<Plan> taken = List.copyOf(plans);
        plans.clear();
        return matching(taken, regex);
    }

    /** {@return the plans whose statements match} Fails if there is none, or if all are empty. */
    static List<Plan> matching(List<Plan> plans, String regex) {
        Pattern pattern = ExpectedStatements.pattern(regex);
        List<Plan> found = plans.stream()
                .filter(plan -> pattern.matcher(plan.sql()).find())
                .toList();
        if (found.stream().allMatch(plan -> plan.lines().isEmpty())) {
            throw ExpectedStatements.noneOf(
                    plans.stream().map(Plan::sql).distinct().toList(), regex);
        }
        return found;
    }

    DataSource dataSource() {
        return proxy(DataSource.class, (method, arguments) -> {
            Object answer = call(real, method, arguments);
            return answer instanceof Connection connection ? explaining(connection) : answer;
        });
    }

    private Connection explaining(Connection connection) {
        return proxy(Connection.class, (method, arguments) -> {
            Object answer = call(connection, method, arguments);
            return answer instanceof PreparedStatement statement && arguments.length == 1
                    ? explaining(connection, statement, (String) arguments[0])
                    : answer;
        });
    }

    private PreparedStatement explaining(Connection connection, PreparedStatement statement, String sql)
            throws SQLException {
        PreparedStatement shadow = connection.prepareStatement(explain + sql);
        return proxy(PreparedStatement.class, (method, arguments) -> {
            if (method.getName().startsWith("set") && arguments.length > 1) {
                call(shadow, method, arguments);
            } else if (method.getName().equals("addBatch") || method.getName().matches("execute(Query|Update)")) {
                plans.add(new Plan(TamperedDataSource.withoutSchema(sql), read(shadow)));
            } else if (method.getName().equals("close")) {
                shadow.close();
            }
            return call(statement, method, arguments);
        });
    }

    private static List<String> read(PreparedStatement shadow) throws SQLException {
        List<String> lines = new ArrayList<>();
        try (ResultSet rows = shadow.executeQuery()) {
            int columns = rows.getMetaData().getColumnCount();
            while (rows.next()) {
                StringBuilder line = new StringBuilder();
                for (int i = 1; i <= columns; i++) {
                    line.append(rows.getMetaData().getColumnLabel(i))
                            .append('=')
                            .append(rows.getString(i))
                            .append(' ');
                }
                lines.add(line.toString());
            }
        }
        return lines;
    }

    private interface Handler {
        Object handle(java.lang.reflect.Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Handler handler) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> handler.handle(method, arguments == null ? new Object[0] : arguments)));
    }

    private static Object call(Object target, java.lang.reflect.Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
