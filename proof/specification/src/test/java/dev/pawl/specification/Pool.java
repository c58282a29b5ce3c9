package dev.pawl.specification;

import java.io.PrintWriter;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** Keeps connections open between uses, and runs {@code onTake} on each connection that it hands out. For one thread at a time. */
public final class Pool implements DataSource, AutoCloseable {
    /** Work on a connection. */
    @FunctionalInterface
    public interface Work {
        void on(Connection connection) throws SQLException;
    }

    /** Opens connections. */
    @FunctionalInterface
    interface Source {
        Connection open() throws SQLException;
    }

    private final Source source;
    private final Work onOpen;
    private final Work onTake;
    private final boolean keepsStatements;
    private final IdentityHashMap<Connection, Prepared> prepared = new IdentityHashMap<>();
    private long statements;
    private final Deque<Connection> idle = new ArrayDeque<>();
    private final List<Connection> all = new ArrayList<>();

    /** {@return how many statements were prepared} */
    long statements() {
        return statements;
    }

    /**
     * @param source opens connections
     * @param onOpen runs on each new one
     * @param onTake runs on each that is handed out
     * @param keepsStatements whether statements stay prepared
     */
    Pool(Source source, Work onOpen, Work onTake, boolean keepsStatements) {
        this.keepsStatements = keepsStatements;
        this.source = source;
        this.onOpen = onOpen;
        this.onTake = onTake;
    }

    @Override
    public synchronized Connection getConnection() throws SQLException {
        Connection real = idle.poll();
        if (real == null) {
            real = source.open();
            all.add(real);
            onOpen.on(real);
        }
        onTake.on(real);
        return lent(real);
    }

    private Connection lent(Connection real) {
        boolean[] closed = {false};
        Prepared statementsOf = keepsStatements ? prepared.computeIfAbsent(real, Prepared::new) : null;
        return (Connection) Proxy.newProxyInstance(
                Pool.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "close" -> {
                            if (!closed[0]) {
                                closed[0] = true;
                                giveBack(real);
                            }
                            return null;
                        }
                        case "abort" -> {
                            closed[0] = true;
                            discard(real);
                            return null;
                        }
                        case "isClosed" -> {
                            return closed[0];
                        }
                        case "prepareStatement" -> {
                            statements++;
                            return statementsOf == null
                                    ? Prepared.invoke(method, real, arguments)
                                    : statementsOf.take(method, arguments);
                        }
                        default -> {
                            statements += method.getName().startsWith("prepare") ? 1 : 0;
                            return Prepared.invoke(method, real, arguments);
                        }
                    }
                });
    }

    private synchronized void discard(Connection real) throws SQLException {
        all.remove(real);
        idle.remove(real);
        real.close();
    }

    /** Runs work on each idle connection. */
    public synchronized void eachIdle(Work work) throws SQLException {
        for (Connection real : idle) {
            work.on(real);
        }
    }

    /** Closes all idle connections. */
    public synchronized void closeIdle() throws SQLException {
        for (Connection real : List.copyOf(idle)) {
            discard(real);
        }
    }

    private synchronized void giveBack(Connection real) throws SQLException {
        if (!real.getAutoCommit()) {
            real.rollback();
            real.setAutoCommit(true);
        }
        idle.push(real);
    }

    @Override
    public synchronized void close() throws SQLException {
        for (Connection connection : all) {
            connection.close();
        }
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return getConnection();
    }

    @Override
    public PrintWriter getLogWriter() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setLogWriter(PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) {}

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getGlobal();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("wraps nothing");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
