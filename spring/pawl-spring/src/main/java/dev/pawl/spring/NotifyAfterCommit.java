package dev.pawl.spring;

import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The queues to notify when this thread's transaction has committed: each once, regardless of the number of jobs. */
final class NotifyAfterCommit implements TransactionSynchronization {
    private final Object key;
    private final Map<String, Runnable> wakes = new LinkedHashMap<>();

    private NotifyAfterCommit(Object key) {
        this.key = key;
    }

    static NotifyAfterCommit of(Object key) {
        if (TransactionSynchronizationManager.getResource(key) instanceof NotifyAfterCommit known) {
            return known;
        }
        NotifyAfterCommit wakes = new NotifyAfterCommit(key);
        TransactionSynchronizationManager.bindResource(key, wakes);
        TransactionSynchronizationManager.registerSynchronization(wakes);
        return wakes;
    }

    void add(String queue, Runnable wake) {
        wakes.put(queue, wake);
    }

    @Override
    public void suspend() {
        TransactionSynchronizationManager.unbindResource(key);
    }

    @Override
    public void resume() {
        TransactionSynchronizationManager.bindResource(key, this);
    }

    @Override
    public void afterCommit() {
        wakes.values().forEach(Runnable::run);
    }

    @Override
    public void afterCompletion(int status) {
        TransactionSynchronizationManager.unbindResourceIfPossible(key);
    }
}
