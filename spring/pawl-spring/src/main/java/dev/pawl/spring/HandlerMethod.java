package dev.pawl.spring;

import dev.pawl.api.Chunk;
import dev.pawl.api.ChunkHandler;
import dev.pawl.api.JobHandler.WithOutcome;
import dev.pawl.api.JobRun;
import dev.pawl.api.Outcome;
import dev.pawl.api.TypeToken;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.ResolvableType;
import org.springframework.util.ReflectionUtils;

/**
 * A method that handles jobs: its parameters and its invocation.
 *
 * @param method as declared
 * @param owner the class of its bean
 * @param chunked whether it handles many jobs in one call
 */
record HandlerMethod(Method method, Class<?> owner, boolean chunked) {
    /** @throws IllegalStateException if a parameter or the return type is not supported */
    HandlerMethod {
        if (method.getReturnType() != void.class && method.getReturnType() != Outcome.class) {
            throw new IllegalStateException(
                    "it returns " + method.getReturnType().getName()
                            + ": a handler returns nothing, which completes the job, or an Outcome");
        }
        Class<?>[] parameters = method.getParameterTypes();
        if (chunked) {
            requireChunk(method, parameters);
        } else if (List.of(parameters).contains(Chunk.class)) {
            throw new IllegalStateException(
                    "it takes a Chunk, so it needs a size: @JobHandler(value = …, chunk = 100)");
        }
        long runs = Arrays.stream(parameters).filter(JobRun.class::equals).count();
        if (runs > 1 || parameters.length - runs > 1) {
            throw new IllegalStateException(
                    "it has too many parameters: a handler takes the payload and the JobRun, either, both or neither");
        }
    }

    private static void requireChunk(Method method, Class<?>[] parameters) {
        if (method.getReturnType() != void.class
                || parameters.length != 1
                || (parameters[0] != List.class && parameters[0] != Chunk.class)) {
            throw new IllegalStateException(
                    "it handles many jobs in one call (chunk = …): such a method takes a List of"
                            + " payloads or a Chunk, and returns nothing");
        }
    }

    /** Returns the type of its payload; Void if it takes none. */
    Type payload() {
        if (chunked) {
            return ResolvableType.forMethodParameter(method, 0, owner)
                    .getGeneric(0)
                    .getType();
        }
        Type[] types = method.getGenericParameterTypes();
        return IntStream.range(0, types.length)
                .filter(i -> method.getParameterTypes()[i] != JobRun.class)
                .mapToObj(i -> GenericTypeResolver.resolveType(types[i], owner))
                .findFirst()
                .orElse(Void.class);
    }

    TypeToken<?> token() {
        Type payload = payload();
        return TypeToken.ofType(payload instanceof Class<?> primitive ? boxed(primitive) : payload);
    }

    private static Class<?> boxed(Class<?> type) {
        return java.lang.invoke.MethodType.methodType(type).wrap().returnType();
    }

    /**
     * @param bean supplies the bean for each call
     * @param beanType the class of the bean as others see it, which may be a proxy's
     */
    WithOutcome<Object> on(Supplier<Object> bean, Class<?> beanType) {
        Method callable = AopUtils.selectInvocableMethod(method, beanType);
        ReflectionUtils.makeAccessible(callable);
        List<Class<?>> parameters = List.of(callable.getParameterTypes());
        return (payload, run) -> {
            Object[] arguments = parameters.stream()
                    .map(type -> type == JobRun.class ? run : payload)
                    .toArray();
            return outcome(invoke(callable, bean.get(), arguments));
        };
    }

    /**
     * @param bean supplies the bean for each call
     * @param beanType the class of the bean as others see it, which may be a proxy's
     */
    ChunkHandler<Object> onChunk(Supplier<Object> bean, Class<?> beanType) {
        Method callable = AopUtils.selectInvocableMethod(method, beanType);
        ReflectionUtils.makeAccessible(callable);
        boolean takesPayloads = method.getParameterTypes()[0] == List.class;
        return chunk -> {
            Object unused = invoke(callable, bean.get(), new Object[] {takesPayloads ? chunk.payloads() : chunk});
        };
    }

    private static @Nullable Object invoke(Method method, Object bean, @Nullable Object[] arguments) throws Exception {
        try {
            return method.invoke(bean, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Exception thrown) {
                throw thrown;
            }
            if (e.getCause() instanceof Error thrown) {
                throw thrown;
            }
            throw e;
        }
    }

    /** Passes null on, because the engine reports a missing outcome. */
    @SuppressWarnings("NullAway")
    private Outcome outcome(@Nullable Object returned) {
        return method.getReturnType() == void.class ? Outcome.completed() : (Outcome) returned;
    }

    @Override
    public String toString() {
        return owner.getName() + "." + method.getName();
    }
}
