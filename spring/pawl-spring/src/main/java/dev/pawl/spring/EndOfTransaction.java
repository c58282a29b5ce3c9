package dev.pawl.spring;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionSynchronizationUtils;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Determines whether the transaction that Spring shows for the calling thread has ended: during the calls after a commit or a rollback,
 * Spring still shows the transaction, but writes in it are not committed any more. If the program declares {@link TransactionEnds}, that
 * bean knows. Otherwise this class inspects the callers, because Spring itself does not say.
 */
final class EndOfTransaction {
    private static final String CALLS = TransactionSynchronizationUtils.class.getName();
    private static final String ASPECT = TransactionAspectSupport.class.getName();
    private static final String TEMPLATE = TransactionTemplate.class.getName();

    private EndOfTransaction() {}

    /** The state of the transaction. */
    enum State {
        /** It will be committed or rolled back. */
        OPEN,
        /** It was committed or rolled back. */
        OVER,
        /** It has ended, and another transaction may have begun since. Spring does not say. */
        UNCLEAR
    }

    /**
     * @param isOpen according to {@link TransactionEnds}; null if the transaction's manager has no such listener
     * @return the state of the transaction that Spring shows for this thread
     */
    static State state(@Nullable Boolean isOpen) {
        if (!TransactionSynchronizationManager.isSynchronizationActive()) {
            return State.OVER; // during afterCompletion, when Spring no longer accepts synchronizations
        }
        if (isOpen != null) {
            return isOpen ? State.OPEN : State.OVER;
        }
        List<String> callers = StackWalker.getInstance().walk(frames -> {
            List<String> sinceTheEnd = new ArrayList<>();
            boolean ended = frames.peek(frame -> note(frame, sinceTheEnd)).anyMatch(EndOfTransaction::isEnd);
            return ended ? sinceTheEnd : List.of();
        });
        if (callers.isEmpty()) {
            return State.OPEN;
        }
        String end = callers.get(callers.size() - 1);
        if (callers.size() == 1) {
            return end.equals("invokeAfterCommit") ? State.OVER : State.UNCLEAR;
        }
        return callers.get(0).equals(ASPECT)
                        && TransactionAspectSupport.currentTransactionStatus().isNewTransaction()
                ? State.OPEN
                : State.UNCLEAR;
    }

    private static boolean isEnd(StackWalker.StackFrame frame) {
        return frame.getClassName().equals(CALLS) && frame.getMethodName().startsWith("invokeAfter");
    }

    /** Collects the callers that may have begun a transaction since the end, nearest first, and then Spring's call after that end. */
    private static void note(StackWalker.StackFrame frame, List<String> sinceTheEnd) {
        String type = frame.getClassName();
        if (isEnd(frame)) {
            sinceTheEnd.add(frame.getMethodName());
        } else if ((type.equals(ASPECT) && frame.getMethodName().equals("invokeWithinTransaction"))
                || (type.equals(TEMPLATE) && frame.getMethodName().equals("execute"))) {
            sinceTheEnd.add(type);
        }
    }
}
