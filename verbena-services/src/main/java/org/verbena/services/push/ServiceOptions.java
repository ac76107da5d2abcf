package org.verbena.services.push;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.services.push.wire.Hello;

/**
 * How one end of a service connection works. Immutable; the {@code with} methods give changed copies. The end that connects decides {@link #model},
 * {@link #dataChannel} and the attributes of both channels; the end that accepts takes them over. Everything else each end decides for itself.
 *
 * @param model how data go on a data channel of {@link DataChannel#RDMA}
 * @param dataChannel what channel 1 carries
 * @param control attributes of channel 0
 * @param data attributes of channel 1
 * @param pools pools of buffers that this end offers when the connection opens, by element size, the smallest first
 * @param poolBytesMax bytes of all pools of this end at most, with those that the peer asks for later
 * @param queueMax data that wait while the peer's pools have no free buffer; more are dropped and counted. 0: all are dropped
 * @param sendsMax data that are on their way or wait, at most; more are dropped and counted
 * @param messageBytesMax bytes of a message at most, in both directions; the lower value of both ends counts
 * @param silenceLimit time without a message of the peer on the control channel after which the connection is over. Data or a message on a reliable channel
 *     that the peer does not acknowledge for about 2 s end it sooner
 * @param connectLimit time within which a connection must be open
 * @param pageable the hypervisor whose paged memory holds the pools of this end; null: memory that stays in place
 */
public record ServiceOptions(
        TransferModel model,
        DataChannel dataChannel,
        ChannelAttributes control,
        ChannelAttributes data,
        List<PoolShape> pools,
        long poolBytesMax,
        int queueMax,
        int sendsMax,
        int messageBytesMax,
        Duration silenceLimit,
        Duration connectLimit,
        @Nullable Hypervisor pageable) {
    /** Bytes of a message that every end takes. */
    public static final int MESSAGE_BYTES_MIN = Hello.MESSAGE_BYTES_MIN;
    /** Bytes of a message at most. */
    public static final int MESSAGE_BYTES_MAX = 1 << 17;
    /** Pools that an end offers at most when a connection opens. */
    public static final int POOLS_MAX = 8;

    /** Push-push by RDMA over reliable channels; 256 buffers of 2 KiB; 64 MiB of pools, 256 data queued, 512 under way; silence of 3 s. */
    public static final ServiceOptions DEFAULT = new ServiceOptions(
            TransferModel.PUSH_PUSH,
            DataChannel.RDMA,
            ChannelAttributes.RELIABLE,
            ChannelAttributes.RELIABLE,
            List.of(new PoolShape(256, 2048)),
            64 << 20,
            256,
            512,
            4096,
            Duration.ofSeconds(3),
            Duration.ofSeconds(10),
            null);

    /** @throws IllegalArgumentException if a value is out of range, or values do not fit together; the message says which */
    public ServiceOptions {
        pools = List.copyOf(pools);
        if (pools.size() > POOLS_MAX || (pools.isEmpty() && dataChannel == DataChannel.RDMA)) {
            throw new IllegalArgumentException("1 … " + POOLS_MAX + " pools expected; found " + pools.size());
        }
        for (int i = 1; i < pools.size(); i++) {
            if (pools.get(i).elementBytes() <= pools.get(i - 1).elementBytes()) {
                throw new IllegalArgumentException(
                        "pools by element size expected, the smallest first; found " + pools);
            }
        }
        long bytes = pools.stream().mapToLong(PoolShape::bytes).sum();
        if (bytes > poolBytesMax) {
            throw new IllegalArgumentException(
                    "pools of at most " + poolBytesMax + " bytes (poolBytesMax) expected; found " + bytes);
        }
        require("queueMax", queueMax, 0, 1 << 16);
        require("sendsMax", sendsMax, 1, 1 << 15);
        require("messageBytesMax", messageBytesMax, MESSAGE_BYTES_MIN, MESSAGE_BYTES_MAX);
        if (!silenceLimit.isPositive() || !connectLimit.isPositive()) {
            throw new IllegalArgumentException(
                    "silenceLimit and connectLimit must be positive; found " + silenceLimit + " and " + connectLimit);
        }
        if (!control.connected()) {
            throw new IllegalArgumentException("the control channel makes the service connection: expected connected");
        }
        if (dataChannel == DataChannel.RDMA && !control.acknowledged()) {
            throw new IllegalArgumentException(
                    "pools need a control channel that loses no message: expected acknowledged");
        }
        if (dataChannel == DataChannel.RDMA && !data.connected()) {
            throw new IllegalArgumentException("RDMA needs a connected data channel; datagrams carry SendData only");
        }
        if (dataChannel == DataChannel.RDMA && model != TransferModel.PUSH_PUSH && !data.acknowledged()) {
            throw new IllegalArgumentException("reads need an acknowledged data channel; found " + model);
        }
    }

    private static void require(String what, int found, int least, int most) {
        if (found < least || found > most) {
            throw new IllegalArgumentException(what + " must be " + least + " … " + most + "; found " + found);
        }
    }

    /** A copy with another transfer model. */
    public ServiceOptions withModel(TransferModel other) {
        return with(draft -> draft.model = other);
    }

    /** A copy with another use of channel 1, which has these attributes. */
    public ServiceOptions withDataChannel(DataChannel use, ChannelAttributes attributes) {
        return with(draft -> {
            draft.dataChannel = use;
            draft.data = attributes;
        });
    }

    /** A copy with other attributes of channel 0. */
    public ServiceOptions withControl(ChannelAttributes attributes) {
        return with(draft -> draft.control = attributes);
    }

    /** A copy with other pools, and another limit of all pools in bytes. */
    public ServiceOptions withPools(long bytesMax, PoolShape... shapes) {
        return with(draft -> {
            draft.poolBytesMax = bytesMax;
            draft.pools = List.of(shapes);
        });
    }

    /** A copy with other limits of data that wait for a buffer, and of data on their way. */
    public ServiceOptions withQueue(int waiting, int underWay) {
        return with(draft -> {
            draft.queueMax = waiting;
            draft.sendsMax = underWay;
        });
    }

    /** A copy with another limit of messages. */
    public ServiceOptions withMessageBytesMax(int bytes) {
        return with(draft -> draft.messageBytesMax = bytes);
    }

    /** A copy with other time limits. */
    public ServiceOptions withLimits(Duration silence, Duration connect) {
        return with(draft -> {
            draft.silenceLimit = silence;
            draft.connectLimit = connect;
        });
    }

    /** A copy whose pools are paged memory of this hypervisor; null: memory that stays in place. */
    public ServiceOptions withPageable(@Nullable Hypervisor hypervisor) {
        return with(draft -> draft.pageable = hypervisor);
    }

    /** A copy with what the peer has decided. */
    ServiceOptions withAgreed(
            TransferModel how, DataChannel use, ChannelAttributes ofControl, ChannelAttributes ofData) {
        return with(draft -> {
            draft.model = how;
            draft.dataChannel = use;
            draft.control = ofControl;
            draft.data = ofData;
        });
    }

    private ServiceOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.finish();
    }

    /** A copy being changed. */
    private static final class Draft {
        private TransferModel model;
        private DataChannel dataChannel;
        private ChannelAttributes control;
        private ChannelAttributes data;
        private List<PoolShape> pools;
        private long poolBytesMax;
        private int queueMax;
        private int sendsMax;
        private int messageBytesMax;
        private Duration silenceLimit;
        private Duration connectLimit;
        private @Nullable Hypervisor pageable;

        private Draft(ServiceOptions from) {
            model = from.model;
            dataChannel = from.dataChannel;
            control = from.control;
            data = from.data;
            pools = from.pools;
            poolBytesMax = from.poolBytesMax;
            queueMax = from.queueMax;
            sendsMax = from.sendsMax;
            messageBytesMax = from.messageBytesMax;
            silenceLimit = from.silenceLimit;
            connectLimit = from.connectLimit;
            pageable = from.pageable;
        }

        private ServiceOptions finish() {
            return new ServiceOptions(
                    model,
                    dataChannel,
                    control,
                    data,
                    pools,
                    poolBytesMax,
                    queueMax,
                    sendsMax,
                    messageBytesMax,
                    silenceLimit,
                    connectLimit,
                    pageable);
        }
    }
}
