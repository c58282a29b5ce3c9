package dev.pawl.spring;

import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** What is to be told to workers when the transaction of this thread has committed: each queue once, however many jobs. */
final class WakesAfterCommit implements TransactionSynchronization {
    private final Object key;
    private final Map<String, Runnable> wakes = new LinkedHashMap<>();

    private WakesAfterCommit(Object key) {
        this.key = key;
    }

    static WakesAfterCommit of(Object key) {
        if (TransactionSynchronizationManager.getResource(key) instanceof WakesAfterCommit known) {
            return known;
        }
        WakesAfterCommit wakes = new WakesAfterCommit(key);
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
