package dev.pawl.internal.jdbc;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether the transaction that Spring reports for the calling thread has ended: while Spring runs callbacks after a
 * commit or a rollback, it still reports the transaction, but writes on its connection are never committed. Spring has
 * no method that tells, so this reads the call stack. Immutable.
 */
final class SpringsEnd {
    private static final String CALLS = "org.springframework.transaction.support.TransactionSynchronizationUtils";
    private static final String ASPECT = "org.springframework.transaction.interceptor.TransactionAspectSupport";
    private static final String TEMPLATE = "org.springframework.transaction.support.TransactionTemplate";

    private final ClassLoader loader;
    private final Method isSynchronizationActive;

    /**
     * @param loader of Spring's classes
     * @param manager Spring's TransactionSynchronizationManager
     */
    SpringsEnd(ClassLoader loader, Class<?> manager) throws NoSuchMethodException {
        this.loader = loader;
        this.isSynchronizationActive = manager.getMethod("isSynchronizationActive");
    }

    /** The state of the transaction. */
    enum State {
        /** It will be committed or rolled back. */
        OPEN,
        /** It was committed or rolled back. */
        ENDED,
        /** Another one may have begun since; Spring does not tell. */
        UNCLEAR
    }

    /** {@return the state of the transaction that Spring reports for this thread} */
    State state() throws ReflectiveOperationException {
        if (!(boolean) isSynchronizationActive.invoke(null)) {
            return State.ENDED; // afterCompletion, in which Spring accepts no further callbacks
        }
        List<String> callers = StackWalker.getInstance().walk(frames -> {
            List<String> sinceTheEnd = new ArrayList<>();
            boolean ended = frames.peek(frame -> note(frame, sinceTheEnd)).anyMatch(SpringsEnd::isEnd);
            return ended ? sinceTheEnd : List.of();
        });
        if (callers.isEmpty()) {
            return State.OPEN;
        }
        String end = callers.get(callers.size() - 1);
        if (callers.size() == 1) {
            return end.equals("invokeAfterCommit") ? State.ENDED : State.UNCLEAR;
        }
        return callers.get(0).equals(ASPECT) && isNewTransaction() ? State.OPEN : State.UNCLEAR;
    }

    private static boolean isEnd(StackWalker.StackFrame frame) {
        return frame.getClassName().equals(CALLS) && frame.getMethodName().startsWith("invokeAfter");
    }

    /**
     * Methods that may have begun a transaction since the end of the other, nearest first; and finally the callback
     * itself.
     */
    private static void note(StackWalker.StackFrame frame, List<String> sinceTheEnd) {
        String type = frame.getClassName();
        if (isEnd(frame)) {
            sinceTheEnd.add(frame.getMethodName());
        } else if ((type.equals(ASPECT) && frame.getMethodName().equals("invokeWithinTransaction"))
                || (type.equals(TEMPLATE) && frame.getMethodName().equals("execute"))) {
            sinceTheEnd.add(type);
        }
    }

    private boolean isNewTransaction() throws ReflectiveOperationException {
        Object status = Class.forName(ASPECT, true, loader)
                .getMethod("currentTransactionStatus")
                .invoke(null);
        Class<?> type = Class.forName("org.springframework.transaction.TransactionExecution", true, loader);
        return (boolean) type.getMethod("isNewTransaction").invoke(status);
    }
}
